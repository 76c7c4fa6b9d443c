package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** {@link FileChannel#transferTo} a socket channel; the peer reads into a direct buffer. */
final class FileSending {
    private FileSending() {}

    static final class Server extends FileLink {
        Server(Fields spec) throws IOException {
            super(spec, true);
        }

        @Override
        void move() throws IOException {
            long left = fileBytes;
            while (left > 0) {
                int n = channel.read(buffer.clear().limit((int) Math.min(left, BUFFER_BYTES)));
                if (n < 0) {
                    throw ended();
                }
                left -= n;
            }
        }
    }

    static final class Client extends FileLink {
        private final FileChannel file = newFile();

        Client(Fields spec) throws IOException {
            super(spec, false);
            for (long at = 0; at < fileBytes; at += BUFFER_BYTES) {
                file.write(buffer.clear());
            }
        }

        @Override
        void move() throws IOException {
            long at = 0;
            while (at < fileBytes) {
                at += file.transferTo(at, fileBytes - at, channel);
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
            super.close();
        }
    }
}
