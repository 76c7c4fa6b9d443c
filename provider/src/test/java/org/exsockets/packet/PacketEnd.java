package org.exsockets.packet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.stream.FakeEndpoint;
import org.exsockets.stream.ProgramGrants;

/** One end of a packet connection for tests: its engine, and what it has told. */
final class PacketEnd {
    final FakeEndpoint endpoint;
    final PacketEngine engine;

    /** What has ended, in order: a name and how. */
    final List<String> ended = new ArrayList<>();

    /** A transfer with a name. */
    static final class Named extends PacketTransfer {
        final String name;

        Named(String name, ByteBuffer memory, int offset, int length) {
            this.name = name;
            this.memory = memory;
            this.offset = offset;
            this.length = length;
        }

        /** {@return what a receive holds} */
        String text() {
            byte[] bytes = new byte[moved];
            memory.get(offset, bytes);
            return new String(bytes, StandardCharsets.US_ASCII);
        }
    }

    PacketEnd(FakeEndpoint endpoint, PacketRules rules) {
        this.endpoint = endpoint;
        this.engine = new PacketEngine(endpoint, this::onEnded, rules);
    }

    private void onEnded(PacketTransfer transfer, PacketEnding how) {
        ended.add(((Named) transfer).name + " " + how);
    }

    /** {@return two connected ends, each with {@code exposedBytes} of staging} */
    static PacketEnd[] pair(int exposedBytes, int depth) {
        return pair(exposedBytes, depth, new SmallPacketRules());
    }

    static PacketEnd[] pair(int exposedBytes, int depth, PacketRules rules) {
        FakeEndpoint[] ends = FakeEndpoint.unorderedPair(exposedBytes, exposedBytes, depth);
        return new PacketEnd[] {new PacketEnd(ends[0], rules), new PacketEnd(ends[1], rules)};
    }

    /** Moves everything until nothing moves any more. */
    static void settle(PacketEnd... ends) {
        boolean any = true;
        while (any) {
            any = false;
            for (PacketEnd end : ends) {
                any |= end.endpoint.underWay() > 0;
                end.endpoint.deliver(Integer.MAX_VALUE);
                any |= end.engine.progress();
            }
        }
    }

    /** Begins to receive into memory of its own, which the peer cannot write to. */
    Named receive(String name, int length) {
        Named receive = new Named(name, ByteBuffer.allocate(length + 2), 1, length);
        engine.receive(receive);
        return receive;
    }

    /** Begins to receive into memory that the peer can write to. */
    Named receiveDirectly(String name, ProgramGrants.Grant grant, int length) {
        Named receive = new Named(name, grant.memory(), 0, length);
        engine.receive(receive);
        return receive;
    }

    Named send(String name, String text) {
        Named send =
                new Named(name, ByteBuffer.wrap(("_" + text).getBytes(StandardCharsets.US_ASCII)), 1, text.length());
        engine.send(send);
        return send;
    }

    Named write(String name, int export, long remoteOffset, String text, boolean notify) {
        Named write = new Named(name, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0, text.length());
        write.export = export;
        write.remoteOffset = remoteOffset;
        write.notify = notify;
        engine.send(write);
        return write;
    }

    /** {@return what has ended since the last call, joined by commas} */
    String ended() {
        String all = String.join(", ", ended);
        ended.clear();
        return all;
    }
}
