package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * {@link FileChannel#transferFrom} a socket channel, over the same file again; the peer writes from a direct buffer.
 */
final class FileReceiving {
    private FileReceiving() {}

    static final class Server extends FileLink {
        private final FileChannel file = newFile();

        Server(Fields spec) throws IOException {
            super(spec, true);
        }

        @Override
        void move() throws IOException {
            long at = 0;
            while (at < fileBytes) {
                long n = file.transferFrom(channel, at, fileBytes - at);
                if (n <= 0) {
                    throw ended();
                }
                at += n;
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
            super.close();
        }
    }

    static final class Client extends FileLink {
        Client(Fields spec) throws IOException {
            super(spec, false);
        }

        @Override
        void move() throws IOException {
            long left = fileBytes;
            while (left > 0) {
                left -= channel.write(buffer.clear().limit((int) Math.min(left, BUFFER_BYTES)));
            }
        }
    }
}
