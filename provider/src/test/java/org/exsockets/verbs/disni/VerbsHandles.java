package org.exsockets.verbs.disni;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.function.Executable;

/**
 * Open handles of all kinds without an RDMA device: adopted ones, of zeroed memory where an object should be. Enough for
 * a call that must not get as far as the object. Closing forgets them.
 */
public final class VerbsHandles implements AutoCloseable {
    private static final int OBJECT_BYTES = 4096;
    private static final int COMPLETION_CHANNEL_FD_OFFSET = 8;

    private final ByteBuffer memory;
    private final int descriptor;
    private final Map<Integer, Long> byKind = new TreeMap<>();
    private final long closed;

    VerbsHandles() throws VerbsException {
        memory = Verbs.allocate((long) OBJECT_BYTES * (Verbs.KIND_EVENT_CHANNEL + 1))
                .order(ByteOrder.nativeOrder());
        descriptor = Verbs.createEvent();
        memory.putInt(offsetOf(Verbs.KIND_COMPLETION_CHANNEL) + COMPLETION_CHANNEL_FD_OFFSET, descriptor);
        memory.putInt(offsetOf(Verbs.KIND_EVENT_CHANNEL), descriptor);
        for (int kind = Verbs.KIND_PD; kind <= Verbs.KIND_EVENT_CHANNEL; kind++) {
            byKind.put(kind, Verbs.adopt(kind, pointer(kind)));
        }
        closed = Verbs.adopt(Verbs.KIND_PD, pointer(Verbs.KIND_PD));
        Verbs.forget(closed);
    }

    /** Loads the library, or skips the test on a machine of another architecture or without libibverbs. */
    public static void assumeUsable() throws IOException {
        Path directory = Path.of(System.getProperty("java.library.path"));
        assumeTrue(
                Files.exists(directory.resolve("libdisni.so")),
                "there is no native library for " + System.getProperty("os.arch"));
        try {
            NativeLibrary.load();
        } catch (VerbsException e) {
            assumeTrue(!e.getMessage().startsWith("dlopen: "), e.getMessage());
            throw e;
        }
    }

    /** {@return the error number of a call that is refused} */
    static int errno(Executable call) {
        return assertThrows(VerbsException.class, call).errno();
    }

    private static int offsetOf(int kind) {
        return kind * OBJECT_BYTES;
    }

    long pointer(int kind) {
        return Verbs.address(memory) + offsetOf(kind);
    }

    long of(int kind) {
        return byKind.get(kind);
    }

    /** {@return open handles of every kind but one, by kind} */
    Map<Integer, Long> others(int kind) {
        Map<Integer, Long> others = new TreeMap<>(byKind);
        others.remove(kind);
        return others;
    }

    /** {@return one that was valid once} */
    long closed() {
        return closed;
    }

    @Override
    public void close() throws VerbsException {
        for (long each : byKind.values()) {
            Verbs.forget(each);
        }
        Verbs.closeEvent(descriptor);
        Verbs.free(memory);
    }
}
