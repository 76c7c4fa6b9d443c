package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileCopyTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 8, 1, 1);
    private static final int FILE_BYTES = 100_000;

    /** More segments than are kept for later connections, so that some are unmapped. */
    private static final int CONNECTIONS = 40;

    @TempDir
    Path directory;

    private FileChannel file;
    private SoftDevice device;

    @BeforeEach
    void createFile() throws IOException {
        Path path = directory.resolve("file");
        Files.write(path, new byte[FILE_BYTES]);
        file = FileChannel.open(path);
        device = SoftDevices.open();
    }

    @AfterEach
    void closeFile() throws IOException {
        file.close();
        device.close();
    }

    /** Fails by the end of the JVM: the memory of a closed connection must not be looked at. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsSentThroughAClosedConnection(boolean blocking) throws Exception {
        List<ExsConnection> closed = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            closed.add(connect());
        }
        for (ExsConnection connection : closed) {
            connection.close(Close.ABORT);
        }
        for (ExsConnection connection : closed) {
            assertEquals(Outcome.CLOSED, connection.write(file, 0, FILE_BYTES, blocking));
        }
    }

    private ExsConnection connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(device, PARAMETERS);
        ExsConnection connection = new ExsConnection(ends.connected());
        new ExsConnection(ends.accepted()).close(Close.ORDERLY);
        return connection;
    }
}
