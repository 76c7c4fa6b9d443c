package org.exsockets.compat.programs.thrift;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.layered.TFramedTransport;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.Results;

/** Clients of both servers, eight threads with one connection after the other. Arguments: the ports, the second one's framed. */
public final class ThriftClients {
    private static final int THREADS = 8;
    private static final int CONNECTIONS = 10;
    private static final int CALLS = 60;
    private static final int USUAL_BYTES = 500;
    private static final int LARGE_BYTES = 2_000_000;
    private static final int CALLS_BETWEEN_LARGE = 30;
    private static final int PATIENCE_MS = 300_000;

    private ThriftClients() {}

    public static void main(String[] arguments) {
        Driver.work(results -> {
            for (int kind = 0; kind < 2; kind++) {
                int port = Integer.parseInt(arguments[kind]);
                boolean framed = kind == 1;
                ExecutorService threads = Executors.newFixedThreadPool(THREADS);
                List<Future<Integer>> done = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    int number = thread;
                    done.add(threads.submit(() -> callAll(port, framed, number, results)));
                }
                int calls = 0;
                for (Future<Integer> each : done) {
                    calls += each.get();
                }
                threads.shutdown();
                results.put(framed ? "framed" : "plain", calls);
            }
        });
    }

    private static int callAll(int port, boolean framed, int thread, Results results) throws Exception {
        int calls = 0;
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            TTransport socket = new TSocket(null, Ports.HOST, port, PATIENCE_MS);
            try (TTransport transport = framed ? new TFramedTransport(socket) : socket) {
                transport.open();
                TProtocol protocol = new TBinaryProtocol(transport);
                for (int call = 0; call < CALLS; call++, calls++) {
                    int length = calls % CALLS_BETWEEN_LARGE == thread ? LARGE_BYTES + thread : USUAL_BYTES + call;
                    call(protocol, call, length, results);
                }
            }
        }
        return calls;
    }

    private static void call(TProtocol protocol, int number, int length, Results results) throws Exception {
        byte[] bytes = Content.bytes(number, length);
        Digests.write(protocol, TMessageType.CALL, number, bytes, "call " + number + ": ");
        TMessage answer = protocol.readMessageBegin();
        Expect.equal(number, answer.seqid, "number of the answer");
        Expect.equal(TMessageType.REPLY, answer.type, "type of the answer");
        Expect.equal(Content.bytes(length, length), Digests.bytes(protocol.readBinary()), "answer");
        Expect.equal("call " + number + ": " + Content.hash(bytes), protocol.readString(), "digest");
        protocol.readMessageEnd();
        results.toServer(length);
        results.toClient(length);
    }
}
