package org.exsockets.compat.noagent.programs;

import java.net.InetSocketAddress;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

/** Lets several threads be the first to use the selector provider, at once; prints {@code first uses: n}. */
public final class FirstUse {
    private FirstUse() {}

    public static void main(String[] args) throws Exception {
        List<Callable<?>> uses = List.of(
                () -> Selector.open(),
                () -> Pipe.open(),
                () -> SocketChannel.open(),
                () -> ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0)),
                () -> {
                    Pipe pipe = Pipe.open();
                    pipe.source().configureBlocking(false);
                    return pipe.source().register(Selector.open(), SelectionKey.OP_READ);
                });
        CyclicBarrier together = new CyclicBarrier(uses.size());
        List<FutureTask<?>> tasks = new ArrayList<>();
        for (Callable<?> use : uses) {
            FutureTask<?> task = new FutureTask<>(() -> {
                together.await();
                return use.call();
            });
            tasks.add(task);
            Thread thread = new Thread(task, "first use");
            thread.setDaemon(true);
            thread.start();
        }
        int done = 0;
        for (FutureTask<?> task : tasks) {
            task.get();
            done++;
        }
        System.out.println("first uses: " + done);
    }
}
