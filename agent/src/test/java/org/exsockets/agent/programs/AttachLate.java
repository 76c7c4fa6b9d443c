package org.exsockets.agent.programs;

import com.sun.tools.attach.VirtualMachine;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.Selector;

/**
 * Uses sockets, loads the agent named by the first argument into itself, uses sockets again, and finally channels. With
 * a second argument it holds a selector when the agent comes.
 */
public final class AttachLate {
    private AttachLate() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1) {
            Selector.open();
        }
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Echo.talk(listener);
            VirtualMachine self =
                    VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
            try {
                self.loadAgent(arguments[0]);
            } finally {
                self.detach();
            }
            System.out.println("attached");
            Echo.talk(listener);
            System.out.println("a listener from before works");
            Echo.main(arguments);
            OpenProvider.main(arguments);
        }
    }
}
