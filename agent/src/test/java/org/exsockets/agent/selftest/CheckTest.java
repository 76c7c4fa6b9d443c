package org.exsockets.agent.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What comes back wrong is found. */
class CheckTest {
    private static final int BYTES = 300_000;

    /** Gives back what was sent to it once all has been, after something has happened to it. */
    private static final class Returning extends Link {
        private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
        private final CountDownLatch all = new CountDownLatch(1);
        private final UnaryOperator<byte[]> change;
        private ByteBuffer returned;

        Returning(UnaryOperator<byte[]> change) {
            this.change = change;
        }

        @Override
        void send(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                sent.write(bytes.get());
            }
        }

        @Override
        int receive(ByteBuffer into) throws IOException {
            if (returned == null) {
                try {
                    all.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                returned = ByteBuffer.wrap(change.apply(sent.toByteArray()));
            }
            if (!returned.hasRemaining()) {
                return -1;
            }
            int count = Math.min(into.remaining(), returned.remaining());
            into.put(into.position(), returned, returned.position(), count);
            into.position(into.position() + count);
            returned.position(returned.position() + count);
            return count;
        }

        @Override
        void endOutput() {
            all.countDown();
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    private static String checked(UnaryOperator<byte[]> change) throws IOException {
        return Check.run(new Returning(change), BYTES);
    }

    @Test
    void whatComesBackUnchangedIsRight() throws IOException {
        assertEquals("", checked(bytes -> bytes));
    }

    @Test
    void aChangedByteIsFound() throws IOException {
        String wrong = checked(bytes -> {
            bytes[200_000] ^= 1;
            return bytes;
        });
        assertEquals("byte 200000 was ", wrong.substring(0, 16));
    }

    /** Blocks of a power of two, as buffers are, in each other's place. */
    @Test
    void exchangedBlocksAreFound() throws IOException {
        String wrong = checked(bytes -> {
            byte[] exchanged = bytes.clone();
            System.arraycopy(bytes, 65_536, exchanged, 131_072, 65_536);
            return exchanged;
        });
        assertEquals("byte 13107", wrong.substring(0, 10));
    }

    @Test
    void anEarlyEndIsFound() throws IOException {
        assertEquals(
                "the stream ended after 299999 of 300000 bytes", checked(bytes -> Arrays.copyOf(bytes, BYTES - 1)));
    }

    @Test
    void bytesTooManyAreFound() throws IOException {
        assertEquals("more than 300000 bytes came", checked(bytes -> Arrays.copyOf(bytes, BYTES + 1)));
    }

    @Test
    void whatCannotBeSentIsToldOf() {
        Link broken = new Link() {
            @Override
            void send(ByteBuffer bytes) throws IOException {
                throw new IOException("broken");
            }

            @Override
            int receive(ByteBuffer into) throws IOException {
                throw new IOException("reset");
            }

            @Override
            void endOutput() {
                throw new AssertionError();
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
        assertEquals(
                "reset",
                assertThrows(IOException.class, () -> Check.run(broken, BYTES)).getMessage());
    }
}
