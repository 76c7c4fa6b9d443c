package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A side that moves the contents of files over one blocking channel: a byte of {@link Flags}, then the file, over and
 * over; one byte back when the last is there. The files are in memory, so that no disk is measured.
 */
abstract class FileLink implements Side.Server {
    static final int BUFFER_BYTES = 1 << 20;

    final int fileBytes;
    final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final CpuClock cpu = new CpuClock();
    private final ServerSocketChannel listener;
    private final int peerPort;
    private final ByteBuffer flags = ByteBuffer.allocateDirect(1);
    SocketChannel channel;
    private long sequence;

    FileLink(Fields spec, boolean server) throws IOException {
        fileBytes = spec.integer("size");
        listener = server ? ServerSocketChannel.open().bind(Listening.anyPort()) : null;
        peerPort = server ? 0 : spec.integer("port");
    }

    /** {@return a new file without a name, in memory where the system has such a place} */
    static FileChannel newFile() throws IOException {
        Path memory = Path.of("/dev/shm");
        Path file = Files.isWritable(memory)
                ? Files.createTempFile(memory, "exs-bench", ".data")
                : Files.createTempFile("exs-bench", ".data");
        try {
            return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public int port() throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Override
    public void open() throws IOException {
        channel = listener == null
                ? SocketChannel.open(new InetSocketAddress(Listening.host(), peerPort))
                : listener.accept();
    }

    /** Moves one file's contents. */
    abstract void move() throws IOException;

    @Override
    public final Fields round(double seconds) throws IOException {
        return listener == null ? sendRound(seconds) : receiveRound();
    }

    /** The side that sends: moves files until the time is over. */
    private Fields sendRound(double seconds) throws IOException {
        cpu.start();
        long startNs = System.nanoTime();
        long deadlineNs = startNs + (long) (seconds * 1e9);
        long files = 0;
        boolean last = false;
        while (!last) {
            last = System.nanoTime() >= deadlineNs;
            channel.write(flags.clear().put(0, Flags.of(sequence++, last)));
            move();
            files++;
        }
        receiveFlags();
        return new Fields("figures")
                .with("elapsedNs", System.nanoTime() - startNs)
                .with("operations", files)
                .with("bytes", files * fileBytes)
                .with("cpuNs", cpu.elapsedNs());
    }

    /** The side that receives, until the last file. */
    private Fields receiveRound() throws IOException {
        cpu.start();
        boolean last;
        do {
            byte received = receiveFlags();
            Flags.check(received, sequence++);
            last = Flags.isLast(received);
            move();
        } while (!last);
        channel.write(flags.clear());
        return new Fields("figures").with("cpuNs", cpu.elapsedNs());
    }

    private byte receiveFlags() throws IOException {
        if (channel.read(flags.clear()) < 0) {
            throw ended();
        }
        return flags.get(0);
    }

    static EOFException ended() {
        return new EOFException("end of stream inside a round");
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
        if (listener != null) {
            listener.close();
        }
    }
}
