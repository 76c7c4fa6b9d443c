package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One selector with sockets and with every other kind of selectable channel, and with many of them. */
@Tag("fallback")
@Tag("noagent")
class MixedSelectorContract extends Contract {
    @Test
    void pipeAndSocketAreSelectedTogether() throws Exception {
        ChannelLink link = connectedChannel();
        Pipe pipe = Pipe.open();
        closing(pipe.source());
        closing(pipe.sink());
        Selector selector = closing(Selector.open());
        SelectionKey socketKey = register(link.local(), selector, OP_READ);
        SelectionKey pipeKey = register(pipe.source(), selector, OP_READ);
        pipe.sink().write(ByteBuffer.allocate(1));
        awaitReady(pipeKey, OP_READ);
        link.remote().write(1);
        awaitReady(socketKey, OP_READ);
        assertEquals(2, selector.selectNow());
        assertEquals(Set.of(socketKey, pipeKey), selector.selectedKeys());
    }

    @Test
    void pipeEndsASelectThatSleepsOverSockets() throws Exception {
        Pipe pipe = Pipe.open();
        closing(pipe.source());
        closing(pipe.sink());
        Selector selector = idleSelector();
        register(pipe.source(), selector, OP_READ);
        Background<Integer> select = startSelect(selector);
        pipe.sink().write(ByteBuffer.allocate(1));
        assertEquals(1, select.result());
    }

    @Test
    void datagramAndSocketAreSelectedTogether() throws Exception {
        ChannelLink link = connectedChannel();
        DatagramChannel receiver = closing(DatagramChannel.open()).bind(testAddress(0));
        DatagramChannel sender = closing(DatagramChannel.open());
        Selector selector = closing(Selector.open());
        SelectionKey socketKey = register(link.local(), selector, OP_READ);
        SelectionKey datagramKey = register(receiver, selector, OP_READ);
        sender.send(Pattern.buffer(0, 100), receiver.getLocalAddress());
        awaitReady(datagramKey, OP_READ);
        assertNotNull(receiver.receive(ByteBuffer.allocate(200)));
        link.remote().write(1);
        awaitReady(socketKey, OP_READ);
    }

    @Test
    void unixDomainChannelsAndSocketsAreSelectedTogether(@TempDir Path directory) throws Exception {
        ChannelLink link = connectedChannel();
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
        ServerSocketChannel listener = closing(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
        listener.bind(address);
        Selector selector = closing(Selector.open());
        SelectionKey listenerKey = register(listener, selector, OP_ACCEPT);
        SelectionKey socketKey = register(link.local(), selector, OP_READ);
        SocketChannel client = closing(SocketChannel.open(address));
        awaitReady(listenerKey, OP_ACCEPT);
        SocketChannel server = closing(listener.accept());
        SelectionKey serverKey = register(server, selector, OP_READ);
        client.write(Pattern.buffer(0, 10));
        link.remote().write(10);
        awaitReady(serverKey, OP_READ);
        awaitReady(socketKey, OP_READ);
        ByteBuffer received = ByteBuffer.allocate(20);
        assertEquals(10, server.read(received));
        Pattern.check(0, received.flip());
    }

    @Test
    void otherKindsOfChannelsLeaveTheSelectorWhenCancelledAndBlockAgain() throws Exception {
        Pipe pipe = Pipe.open();
        closing(pipe.source());
        closing(pipe.sink());
        DatagramChannel datagram = closing(DatagramChannel.open()).bind(testAddress(0));
        Selector selector = closing(Selector.open());
        register(pipe.source(), selector, OP_READ).cancel();
        register(datagram, selector, OP_READ).cancel();
        selector.selectNow();
        assertTrue(selector.keys().isEmpty());
        pipe.source().configureBlocking(true);
        datagram.configureBlocking(true);
        pipe.sink().write(ByteBuffer.allocate(1));
        assertEquals(1, pipe.source().read(ByteBuffer.allocate(1)));
    }

    @Test
    void cancelledPipesBlockAgainWhileAnotherThreadSelects() throws Exception {
        Pipe pipe = Pipe.open();
        closing(pipe.source());
        closing(pipe.sink());
        Selector selector = closing(Selector.open());
        AtomicBoolean stop = new AtomicBoolean();
        Background<Void> selecting = Background.start(() -> {
            while (!stop.get()) {
                selector.selectNow();
            }
            return null;
        });
        for (int i = 0; i < 2000; i++) {
            register(pipe.source(), selector, OP_READ).cancel();
            pipe.source().configureBlocking(true);
            while (pipe.source().isRegistered()) {
                Thread.onSpinWait();
            }
        }
        assertFalse(selecting.isDone());
        stop.set(true);
        selecting.result();
    }

    @Test
    void closeOfTheOtherEndOfAPipeEndsASelect() throws Exception {
        Pipe pipe = Pipe.open();
        closing(pipe.source());
        SelectionKey key = registered(pipe.source(), OP_READ);
        Background<Integer> select =
                Background.start(() -> key.selector().select()).awaitBlockedIn("select");
        pipe.sink().close();
        assertEquals(1, select.result());
        assertEquals(Set.of(key), key.selector().selectedKeys());
        assertEquals(-1, pipe.source().read(ByteBuffer.allocate(1)));
    }

    @Test
    void processThatWasNotGivenAChannelInheritsNone() throws Exception {
        assertNull(System.inheritedChannel());
    }

    @Test
    void channelsOfTheDefaultProviderBelongToIt() throws Exception {
        SelectorProvider provider = SelectorProvider.provider();
        ChannelPair pair = channelPair();
        Selector selector = closing(Selector.open());
        assertSame(provider, pair.client().provider());
        assertSame(provider, pair.server().provider());
        assertSame(provider, selector.provider());
    }

    @Test
    void onlyTheBusyConnectionsOfManyAreSelected() throws Exception {
        Selector selector = closing(Selector.open());
        List<ChannelPair> pairs = pairs(200, selector);
        for (int i = 0; i < 200; i += 20) {
            pairs.get(i).client().write(Pattern.buffer(0, 1 + i));
        }
        List<SelectionKey> selected = new ArrayList<>();
        while (selected.size() < 10) {
            selector.select(Patience.NEVER_MS);
            for (SelectionKey key : selector.selectedKeys()) {
                int i = (Integer) key.attachment();
                assertEquals(0, i % 20);
                readPattern((SocketChannel) key.channel(), 0, 1 + i);
                selected.add(key);
            }
            selector.selectedKeys().clear();
        }
        assertEquals(0, selector.selectNow());
    }

    @Test
    void everyConnectionOfManyIsServedInEachRound() throws Exception {
        Selector selector = closing(Selector.open());
        List<ChannelPair> pairs = pairs(100, selector);
        for (int round = 0; round < 5; round++) {
            for (ChannelPair pair : pairs) {
                pair.client().write(Pattern.buffer(round * 10L, 10));
            }
            int[] read = new int[100];
            int done = 0;
            while (done < 100) {
                selector.select(Patience.NEVER_MS);
                for (SelectionKey key : selector.selectedKeys()) {
                    ByteBuffer buffer = ByteBuffer.allocate(20);
                    int i = (Integer) key.attachment();
                    int n = ((SocketChannel) key.channel()).read(buffer);
                    Pattern.check(round * 10L + read[i], buffer.flip());
                    read[i] += n;
                    done += read[i] == 10 ? 1 : 0;
                }
                selector.selectedKeys().clear();
            }
        }
    }

    @Test
    void fiftyEchoesOfTheOtherProcessShareOneSelector() throws Exception {
        Selector selector = closing(Selector.open());
        for (int i = 0; i < 50; i++) {
            ChannelLink link = connectedChannel();
            link.remote().startEcho();
            register(link.local(), selector, OP_READ | OP_WRITE).attach(new long[2]);
        }
        int finished = 0;
        while (finished < 50) {
            selector.select(Patience.NEVER_MS);
            for (SelectionKey key : selector.selectedKeys()) {
                SocketChannel channel = (SocketChannel) key.channel();
                long[] counts = (long[]) key.attachment();
                if (key.isWritable()) {
                    counts[0] += channel.write(Pattern.buffer(counts[0], (int) Math.min(4000, 20_000 - counts[0])));
                    key.interestOps(counts[0] < 20_000 ? OP_READ | OP_WRITE : OP_READ);
                }
                if (key.isReadable()) {
                    ByteBuffer buffer = ByteBuffer.allocate(5000);
                    channel.read(buffer);
                    long position = counts[1];
                    counts[1] += buffer.position();
                    Pattern.check(position, buffer.flip());
                    if (counts[1] == 20_000) {
                        channel.close();
                        finished++;
                    }
                }
            }
            selector.selectedKeys().clear();
        }
    }

    /** Opens connections, blocking at the client and registered for reading, with their number, at the server. */
    private List<ChannelPair> pairs(int count, Selector selector) throws Exception {
        ServerSocketChannel listener = listeningChannel();
        List<ChannelPair> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
            SocketChannel server = closing(listener.accept());
            register(server, selector, OP_READ).attach(i);
            pairs.add(new ChannelPair(client, server));
        }
        return pairs;
    }
}
