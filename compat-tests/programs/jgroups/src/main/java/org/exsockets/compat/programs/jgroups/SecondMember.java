package org.exsockets.compat.programs.jgroups;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.Results;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.Receiver;

/** Joins, gets the state, and sends messages of all lengths. Arguments: the transport, the port of the first member. */
public final class SecondMember {
    private static final int MESSAGES = 3_000;
    private static final int LARGE = 20;
    private static final int LARGE_BYTES = 500_000;
    private static final int PATIENCE_MS = 300_000;

    private SecondMember() {}

    public static void main(String[] arguments) {
        Driver.work(results -> {
            BlockingQueue<String> answers = new LinkedBlockingQueue<>();
            BlockingQueue<byte[]> states = new LinkedBlockingQueue<>();
            try (JChannel channel = Member.open(arguments[0], Ports.unused(), Integer.parseInt(arguments[1]))) {
                channel.setReceiver(new Receiver() {
                    @Override
                    public void receive(Message message) {
                        if (!message.src().equals(channel.address())) {
                            answers.add(message.getObject());
                        }
                    }

                    @Override
                    public void setState(InputStream state) throws Exception {
                        states.add(state.readAllBytes());
                    }
                });
                channel.connect(Member.CLUSTER, null, PATIENCE_MS);
                byte[] state = next(states);
                Expect.equal(Content.bytes(7, Member.STATE_BYTES), state, "state");
                results.toClient(state.length);
                results.put("members", channel.getView().size());
                exchange(channel, answers, results);
            }
        });
    }

    private static void exchange(JChannel channel, BlockingQueue<String> answers, Results results) throws Exception {
        Address first = channel.getView().getMembers().get(0);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < MESSAGES + LARGE; i++) {
            byte[] content = Content.bytes(i, i < MESSAGES ? i : LARGE_BYTES);
            channel.send(new ObjectMessage(first, content));
            expected.add(Content.hash(content));
            results.toServer(content.length);
        }
        for (String each : expected) {
            Expect.equal(each, next(answers), "answer");
        }
        results.put("answers", expected.size());
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
        Expect.that(next != null, "nothing has come for long");
        return next;
    }
}
