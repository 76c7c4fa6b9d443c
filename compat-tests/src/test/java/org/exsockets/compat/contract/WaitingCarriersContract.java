package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.Carriers;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.Selections;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * As {@link CarriersContract}, for calls that wait for others: selections, results of asynchronous channels, transfers of
 * files.
 *
 * <p>A selection of the JDK parks from JDK 24 on; from 21 to 23 it blocks its carrier, and another one is added.
 */
@Tag("usual")
class WaitingCarriersContract extends AsynchronousContract {
    private static final int BIG = 32 << 20;

    @BeforeEach
    void assumeVirtualThreads() {
        Carriers.assumeThereAreSome();
    }

    @Test
    @TimeLimit(LONG)
    void virtualThreadsInSelectionsLetOthersRun(@TempDir Path directory) throws Exception {
        List<String> printed = Carriers.run(Selections.class, List.of(), directory);
        assertTrue(printed.contains(Selections.ENDED), printed::toString);
    }

    @Test
    void selectFreesItsCarrier() throws Exception {
        selectionFreesItsCarrier(Selector::select);
    }

    @Test
    void timedSelectFreesItsCarrier() throws Exception {
        selectionFreesItsCarrier(selector -> selector.select(Patience.NEVER_MS));
    }

    @Test
    void selectWithAnActionFreesItsCarrier() throws Exception {
        selectionFreesItsCarrier(selector -> selector.select(key -> assertTrue(key.isReadable())));
    }

    @Test
    void selectOfAListenerFreesItsCarrier() throws Exception {
        assumeSelectionsPark();
        ServerSocketChannel listener = listeningChannel();
        listener.configureBlocking(false);
        Selector selector = closing(Selector.open());
        listener.register(selector, SelectionKey.OP_ACCEPT);
        Carriers.assertFreed("select", selector::select, () -> closing(SocketChannel.open(listener.getLocalAddress())));
    }

    @Test
    void selectThatIsWokenUpFreesItsCarrier() throws Exception {
        assumeSelectionsPark();
        Selector selector = readSelector(connectedChannel().local());
        Carriers.assertFreed("select", selector::select, selector::wakeup);
    }

    @Test
    void futureOfAReadFreesItsCarrier() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> read = link.local().read(ByteBuffer.allocate(1));
        Carriers.assertFreed("get", read::get, () -> link.remote().write(1));
    }

    @Test
    void timedFutureOfAReadFreesItsCarrier() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> read = link.local().read(ByteBuffer.allocate(1));
        Carriers.assertFreed(
                "get",
                () -> read.get(Patience.NEVER_MS, TimeUnit.MILLISECONDS),
                () -> link.remote().write(1));
    }

    @Test
    void futureOfAnAcceptFreesItsCarrier() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        Future<AsynchronousSocketChannel> accept = listener.accept();
        Carriers.assertFreed("get", () -> closing(accept.get()), () -> {
            PeerSocket remote = peer().connect(Face.NIO, TestHost.NAME, port(listener));
            closing(remote::close);
        });
    }

    @Test
    void awaitTerminationFreesItsCarrier() throws Exception {
        AsynchronousChannelGroup group = group(1);
        Carriers.assertFreed(
                "awaitTermination",
                () -> group.awaitTermination(Patience.NEVER_MS, TimeUnit.MILLISECONDS),
                group::shutdown);
    }

    @Test
    void transferOfAFileFreesItsCarrier(@TempDir Path directory) throws Exception {
        Assumptions.assumeTrue(transport() != Transport.TCP, "sendfile(2) of the JDK keeps its carrier");
        ChannelLink link = connectedChannel();
        try (FileChannel file = file(directory)) {
            file.write(Pattern.buffer(0, BIG));
            Callable<Boolean> transfer = () -> {
                for (long sent = 0; sent < BIG; ) {
                    sent += file.transferTo(sent, BIG - sent, link.local());
                }
                return true;
            };
            Carriers.assertFreed("transferTo", transfer, () -> link.remote().read(BIG));
        }
    }

    @Test
    void transferIntoAFileFreesItsCarrier(@TempDir Path directory) throws Exception {
        ChannelLink link = connectedChannel();
        try (FileChannel file = file(directory)) {
            Carriers.assertFreed(
                    "transferFrom",
                    () -> file.transferFrom(link.local(), 0, 1),
                    () -> link.remote().write(1));
        }
    }

    private static FileChannel file(Path directory) throws Exception {
        return FileChannel.open(
                directory.resolve("file"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private static void assumeSelectionsPark() {
        Assumptions.assumeTrue(Runtime.version().feature() >= 24, "selections of this JDK block their carriers");
    }

    private Selector readSelector(SocketChannel channel) throws Exception {
        Selector selector = closing(Selector.open());
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        return selector;
    }

    /** A call of a selector. */
    private interface Selection {
        int of(Selector selector) throws Exception;
    }

    private void selectionFreesItsCarrier(Selection selection) throws Exception {
        assumeSelectionsPark();
        ChannelLink link = connectedChannel();
        Selector selector = readSelector(link.local());
        Carriers.assertFreed(
                "select", () -> selection.of(selector), () -> link.remote().write(1));
    }
}
