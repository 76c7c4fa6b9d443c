package org.exsockets.compat.programs.jgroups;

import java.io.OutputStream;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.Receiver;

/** Has a state, and answers each message of others with its digest, to all. Argument: the transport. */
public final class FirstMember {
    private FirstMember() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            int port = Ports.unused();
            JChannel channel = Member.open(arguments[0], port, port);
            channel.setReceiver(new Receiver() {
                @Override
                public void receive(Message message) {
                    if (!message.src().equals(channel.address())) {
                        answer(channel, message.getObject());
                    }
                }

                @Override
                public void getState(OutputStream state) throws Exception {
                    state.write(Content.bytes(7, Member.STATE_BYTES));
                }
            });
            channel.connect(Member.CLUSTER);
            return new Driver.Running(channel, port);
        });
    }

    private static void answer(JChannel channel, byte[] content) {
        try {
            channel.send(new ObjectMessage(null, Content.hash(content)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
