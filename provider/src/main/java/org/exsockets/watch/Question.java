package org.exsockets.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.soft.host.ListeningNames;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.UnixSockets;

/** Asks the processes of this network namespace for their connections. Used by one thread. */
final class Question {
    private static final int MAX_REPORT_BYTES = 1 << 30;
    private static final int MAX_LENGTH_DIGITS = 10;

    private Question() {}

    /**
     * What a process has answered.
     *
     * @param pid of the process as seen from here; 0: it is in another pid namespace
     * @param lines of its report; empty: there was no answer
     * @param trouble why there was no answer; empty if there was one
     */
    record Answer(int pid, List<Report.Line> lines, String trouble) {}

    /**
     * {@return the answers of all processes that this user may ask}
     *
     * @param limitNs for all of them together
     * @throws IOException if it cannot be found out whom to ask
     */
    static List<Answer> askAll(long limitNs) throws IOException {
        long endNs = System.nanoTime() + limitNs;
        int self = UnixSockets.effectiveUser();
        List<Asked> asked = new ArrayList<>();
        for (String name : ListeningNames.beginningWith(WatchSocket.PREFIX)) {
            LocalSocket socket = LocalSocket.open();
            long[] peer = new long[1];
            boolean connected = socket.connect(name.getBytes(StandardCharsets.US_ASCII), peer) == 0;
            int user = (int) (peer[0] >>> Integer.SIZE);
            if (connected && (self == WatchSocket.ROOT || user == self)) {
                asked.add(new Asked(socket, (int) peer[0]));
            } else {
                socket.close();
            }
        }
        List<Answer> answers = new ArrayList<>();
        for (Asked one : asked) {
            try {
                answers.add(new Answer(one.pid, one.await(endNs), ""));
            } catch (IOException e) {
                answers.add(new Answer(one.pid, List.of(), String.valueOf(e.getMessage())));
            } finally {
                one.socket.close();
            }
        }
        return answers;
    }

    private record Asked(LocalSocket socket, int pid) {
        List<Report.Line> await(long endNs) throws IOException {
            byte[] length = new byte[MAX_LENGTH_DIGITS];
            int[] passed = {DescriptorPoll.NONE, DescriptorPoll.NONE};
            try {
                int n;
                while ((n = socket.receive(length, 0, passed)) < 0) {
                    long leftNs = endNs - System.nanoTime();
                    if (leftNs <= 0) {
                        throw new IOException("no answer: it is stopped, or very busy");
                    }
                    DescriptorPoll.poll(socket.descriptor(), leftNs);
                }
                return read(new String(length, 0, n, StandardCharsets.US_ASCII), passed[0]);
            } finally {
                for (int each : passed) {
                    if (each != DescriptorPoll.NONE) {
                        LocalSocket.closePassed(each);
                    }
                }
            }
        }

        private static List<Report.Line> read(String length, int descriptor) throws IOException {
            int lengthBytes;
            try {
                lengthBytes = Integer.parseInt(length);
            } catch (NumberFormatException e) {
                throw new IOException("it does not answer this user, or speaks another version", e);
            }
            if (descriptor == DescriptorPoll.NONE || lengthBytes <= 0 || lengthBytes > MAX_REPORT_BYTES) {
                throw new IOException("its answer is not a report");
            }
            SharedMemory memory = SharedMemory.map(descriptor, lengthBytes, "report");
            try {
                return Report.read(memory.memory());
            } finally {
                memory.unmap();
            }
        }
    }
}
