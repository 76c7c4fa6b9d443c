package org.exsockets.verbs.disni.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.verbs.disni.VerbsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is lacking when memory is lacking, and what is done about it. */
class ShortageTest {
    private static final int ENOMEM = 12;
    private static final int EINVAL = 22;

    @TempDir
    private Path root;

    @ParameterizedTest
    @CsvSource({
        "ibv_reg_mr,     12, 8388608,   0, true",
        "ibv_create_cq,  12, 8388608,   0, true",
        "rdma_create_qp, 12, 8388608,   0, true",
        "rdma_create_qp, 11, 8388608,   0, true",
        "rdma_create_qp, 22, 8388608,   0, false",
        "rdma_create_id, 12, 8388608,   0, false",
        "rdma_create_qp, 12, unlimited, 0, false",
        // CAP_IPC_LOCK
        "rdma_create_qp, 12, 8388608, 4000, false",
    })
    void lockedMemoryIsLackingWhereThereIsALimit(
            String call, int errno, String limit, String capabilities, boolean expected) throws IOException {
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(root.resolve("proc/self/limits"), "Max locked memory " + limit + " " + limit + " bytes\n");
        Files.writeString(root.resolve("proc/self/status"), "CapEff:\t" + capabilities + "\n");
        assertEquals(expected, LockedMemory.isLacking(new VerbsException(call, errno, "failed"), root));
    }

    private static final class Scarce implements MemorySource.Making<String> {
        private final VerbsException failure;
        private final int failures;
        private int calls;

        private Scarce(int failures, String call, int errno) {
            this.failures = failures;
            this.failure = new VerbsException(call, errno, "failed");
        }

        @Override
        public String make() throws IOException {
            if (calls++ < failures) {
                throw failure;
            }
            return "made";
        }
    }

    private final AtomicInteger reliefs = new AtomicInteger();
    private MemorySource source;

    @BeforeEach
    void aPool() throws IOException {
        source = new MemorySource(new IbvPd(null) {}, () -> reliefs.incrementAndGet() > 0);
    }

    @ParameterizedTest
    @CsvSource({"ibv_reg_mr", "ibv_create_cq", "rdma_create_qp"})
    void whatLacksMemoryIsMadeOnceMoreWithoutUnusedRegistrations(String call) throws IOException {
        assertEquals("made", source.relieved(new Scarce(1, call, ENOMEM)));
        assertEquals(1, reliefs.get());
        assertThrows(VerbsException.class, () -> source.relieved(new Scarce(2, call, ENOMEM)));
        assertEquals(2, reliefs.get());
    }

    @Test
    void forASizeThatIsRefusedNothingIsGivenUp() {
        assertThrows(VerbsException.class, () -> source.relieved(new Scarce(1, "rdma_create_qp", EINVAL)));
        assertEquals(0, reliefs.get());
    }

    @Test
    void withNothingToGiveUpTheFailureStands() throws IOException {
        MemorySource empty = new MemorySource(new IbvPd(null) {}, () -> false);
        Scarce scarce = new Scarce(1, "rdma_create_qp", ENOMEM);
        assertThrows(VerbsException.class, () -> empty.relieved(scarce));
        assertEquals(1, scarce.calls);
    }
}
