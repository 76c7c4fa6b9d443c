package org.exsockets.verbs.disni.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.disni.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueLimitsTest {
    private static final int EIO = 5;
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;
    private static final int ENODEV = 19;
    private static final int ENOMEM = 12;
    private static final int EAGAIN = 11;

    /** Writes down what it is asked for. */
    private static final class Driver implements QueueLimits.Queues {
        private final int errno;
        private final int mostInline;
        private final int mostReceives;
        private final List<String> asked = new ArrayList<>();
        private int depth;

        /** @param errno of what is refused; EIO stands for none */
        Driver(int errno, int mostInline, int mostReceives) {
            this.errno = errno;
            this.mostInline = mostInline;
            this.mostReceives = mostReceives;
        }

        @Override
        public void prepare(int depth) {
            assertEquals(0, this.depth, "what was made before has been given back");
            this.depth = depth;
        }

        @Override
        public void create(int bytes) throws IOException {
            asked.add(depth + "/" + bytes);
            if (bytes > mostInline || depth > mostReceives) {
                throw new VerbsException("rdma_create_qp", errno, "refused");
            }
        }

        @Override
        public void giveBack() {
            depth = 0;
        }

        private List<String> made(QueueLimits limits, int wanted) throws IOException {
            asked.clear();
            depth = 0;
            limits.make(this, wanted);
            return asked;
        }
    }

    private final QueueLimits limits = new QueueLimits(2048);

    @ParameterizedTest
    @ValueSource(ints = {EIO, EINVAL, ENOSYS, ENOMEM, EAGAIN})
    void lessIsAskedForInlineWhateverTheDriverSays(int errno) throws IOException {
        Driver driver = new Driver(errno, 96, 2048);
        assertEquals(List.of("256/256", "256/128", "256/96"), driver.made(limits, 256));
        assertEquals(List.of("256/96"), driver.made(limits, 256), "what is known");
    }

    @Test
    void aDriverMayTakeNothingInline() throws IOException {
        assertEquals(List.of("4/256", "4/128", "4/96", "4/64", "4/0"), new Driver(EINVAL, 0, 2048).made(limits, 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {EIO, EINVAL, ENOSYS})
    void thenTheQueuesAreHalved(int errno) throws IOException {
        Driver driver = new Driver(errno, 128, 64);
        List<String> asked = driver.made(limits, 256);
        assertEquals("64/128", asked.get(asked.size() - 1));
        assertEquals(12, asked.size());
        assertEquals(List.of("64/128"), driver.made(limits, 256), "what is known");
        assertEquals(List.of("32/128"), driver.made(limits, 32), "less is wanted");
    }

    @Test
    void withFewerThanTheLeastReceivesThereIsNoConnection() {
        Driver driver = new Driver(EINVAL, 256, 16);
        assertThrows(VerbsException.class, () -> driver.made(limits, 256));
        assertEquals("32/0", driver.asked.get(driver.asked.size() - 1));
        assertThrows(VerbsException.class, () -> driver.made(limits, 256));
        assertEquals("256/256", driver.asked.get(0), "a failure teaches nothing");
    }

    @ParameterizedTest
    @ValueSource(ints = {ENOMEM, EAGAIN})
    void whereMemoryIsLackingQueuesAreNotHalved(int errno) {
        Driver driver = new Driver(errno, 256, 16);
        assertEquals(
                errno,
                assertThrows(VerbsException.class, () -> driver.made(limits, 64))
                        .errno());
        assertEquals(List.of("64/256", "64/128", "64/96", "64/64", "64/0"), driver.asked);
    }

    @Test
    void anAdapterThatIsGoneIsAskedOnce() {
        Driver driver = new Driver(ENODEV, 256, 16);
        assertThrows(VerbsException.class, () -> driver.made(limits, 64));
        assertEquals(List.of("64/256"), driver.asked);
    }

    @Test
    void aCompletionQueueMayBeTooLong() throws IOException {
        List<Integer> prepared = new ArrayList<>();
        limits.make(
                new QueueLimits.Queues() {
                    @Override
                    public void prepare(int depth) throws IOException {
                        prepared.add(depth);
                        if (depth > 128) {
                            throw new VerbsException("ibv_create_cq", EINVAL, "too many entries");
                        }
                    }

                    @Override
                    public void create(int bytes) {}

                    @Override
                    public void giveBack() {}
                },
                512);
        assertEquals(List.of(512, 256, 128), prepared);
    }

    @Test
    void memoryThatCannotBeRegisteredIsNoReasonForSmallerQueues() {
        assertThrows(
                VerbsException.class,
                () -> limits.make(
                        new QueueLimits.Queues() {
                            private boolean asked;

                            @Override
                            public void prepare(int depth) throws IOException {
                                assertEquals(false, asked);
                                asked = true;
                                throw new VerbsException("ibv_reg_mr", EIO, "failed");
                            }

                            @Override
                            public void create(int bytes) {}

                            @Override
                            public void giveBack() {}
                        },
                        512));
    }
}
