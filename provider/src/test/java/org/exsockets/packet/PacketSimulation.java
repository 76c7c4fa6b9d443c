package org.exsockets.packet;

import static org.exsockets.stream.FakeEndpoint.check;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.exsockets.memory.FailedMemory;
import org.exsockets.stream.FakeEndpoint;
import org.exsockets.stream.ProgramGrants;
import org.exsockets.verbs.DisconnectReason;

/**
 * Two packet engines over a scripted device, and the programs at both ends, all driven by one seeded scheduler. What an end
 * tells its program may have that begin something else at once.
 *
 * <p>Checked on real bytes: each packet arrives once, in order, in its receive and nowhere beside it, cut if it is too
 * long; a notification comes behind the bytes it tells of; nothing is ever written to memory that was given back ({@link
 * ProgramGrants}) or for which no receive is posted ({@link FakeEndpoint}); no end finds a violation; and when both
 * programs go on, everything arrives and everything ends. In a quarter of the runs memory of what is sent fails now and then.
 */
final class PacketSimulation {
    private static final int MAX_RECEIVES = 6;
    private static final int MAX_SENDS = 6;
    private static final int MAX_EXPORTS = 3;
    private static final int MAX_PACKET_BYTES = 80;
    private static final int EXPORT_BYTES = 64;
    private static final int MAX_SETTLING_ROUNDS = 2_000;
    private static final byte FILLER = (byte) 0xA5;

    private final SplittableRandom random;
    private final End first;
    private final End second;
    private final boolean memoryFails;
    private long steps;

    /** What a program has sent and the other has not got yet: a packet, or the notification of a write. */
    private record Sent(long serial, int length, int export, long offset) {}

    private static final class Transfer extends PacketTransfer {
        private final boolean send;
        private ProgramGrants.Grant grant;
        private long serial;
        private boolean cancelled;

        private Transfer(boolean send) {
            this.send = send;
        }
    }

    private static final class Export {
        private Exports.Local local;
        private ProgramGrants.Grant grant;
        private int offset;
        private int length;
        private boolean takenBack;
    }

    /** One end. Byte n of packet k of a direction is a function of all three. */
    private final class End {
        private final FakeEndpoint endpoint;
        private final PacketEngine engine;
        private final int salt;
        private final List<Transfer> receives = new ArrayList<>();
        private final List<Transfer> sends = new ArrayList<>();
        private final List<Export> exports = new ArrayList<>();
        private final ArrayDeque<Sent> sent = new ArrayDeque<>();
        private End peer;
        private long nextSerial;
        private int exported;
        private long packets;
        private long direct;
        private long notifications;
        private boolean finished;
        private long failures;

        /** The first pieces of a packet may have been written, and nothing else of it. */
        private boolean tore;

        private boolean ended;
        private boolean lost;
        private boolean quiet;

        private End(FakeEndpoint endpoint, int salt, PacketRules rules) {
            this.endpoint = endpoint;
            this.salt = salt;
            this.engine = new PacketEngine(endpoint, this::ended, rules);
        }

        private byte ofPacket(long serial, int at) {
            long mixed = (serial * 1_000_003 + at * 31L + salt) * 0x9E3779B97F4A7C15L;
            byte mix = (byte) (mixed >>> 56);
            return mix == FILLER ? 0 : mix;
        }

        private byte ofExport(int number, long at) {
            byte mix = (byte) (number * 37 + at * 11 + salt);
            return mix == FILLER ? 1 : mix;
        }

        private ProgramGrants.Grant lend() {
            ProgramGrants.Grant grant = endpoint.grants().lend();
            Arrays.fill(grant.memory().array(), FILLER);
            return grant;
        }

        // The program.

        private void receive() {
            if (receives.size() >= MAX_RECEIVES || lost) {
                return;
            }
            Transfer receive = new Transfer(false);
            receive.offset = random.nextInt(5);
            receive.length = random.nextInt(MAX_PACKET_BYTES);
            if (random.nextInt(3) == 0) {
                receive.length = Math.min(receive.length, endpoint.exposed().capacity() / 2);
                receive.memory = ByteBuffer.allocate(100);
                Arrays.fill(receive.memory.array(), FILLER);
            } else {
                receive.grant = lend();
                receive.memory = receive.grant.memory();
                if (receive.length - receive.grant.advertisable(receive.memory, receive.offset, receive.length)
                        > endpoint.exposed().capacity() / 2) {
                    receive.length = endpoint.exposed().capacity() / 2;
                }
            }
            receives.add(receive);
            engine.receive(receive);
        }

        private void send() {
            if (mayNotSend()) {
                return;
            }
            Transfer send = new Transfer(true);
            send.serial = nextSerial++;
            send.length = random.nextInt(MAX_PACKET_BYTES);
            send.offset = random.nextInt(3);
            send.memory = ByteBuffer.allocate(send.offset + send.length);
            for (int i = 0; i < send.length; i++) {
                send.memory.put(send.offset + i, ofPacket(send.serial, i));
            }
            sends.add(send);
            engine.send(send);
        }

        private boolean mayNotSend() {
            return finished || lost || sends.size() >= MAX_SENDS;
        }

        private void write() {
            if (mayNotSend() || peer.exports.isEmpty() && random.nextInt(10) != 0) {
                return;
            }
            Transfer write = new Transfer(true);
            write.export = 1 + random.nextInt(peer.exported + 2);
            if (random.nextInt(4) != 0 && !peer.exports.isEmpty()) {
                write.export = peer.exports.get(random.nextInt(peer.exports.size())).local.number;
            }
            write.remoteOffset = random.nextInt(EXPORT_BYTES);
            write.length = random.nextInt(EXPORT_BYTES);
            write.notify = random.nextBoolean();
            write.memory = ByteBuffer.allocate(write.length);
            for (int i = 0; i < write.length; i++) {
                write.memory.put(i, peer.ofExport(write.export, write.remoteOffset + i));
            }
            sends.add(write);
            engine.send(write);
        }

        private void export() {
            if (exports.size() >= MAX_EXPORTS || lost) {
                return;
            }
            Export export = new Export();
            export.grant = lend();
            export.offset = random.nextInt(9);
            export.length = 1 + random.nextInt(EXPORT_BYTES);
            export.local = engine.exports().add(export.grant.memory(), export.offset, export.length);
            if (export.local == null) {
                endpoint.grants().giveBack(export.grant);
                return;
            }
            exported = export.local.number;
            exports.add(export);
            engine.flush();
        }

        private void unexport() {
            if (exports.isEmpty()) {
                return;
            }
            Export export = exports.get(random.nextInt(exports.size()));
            boolean begun = engine.exports().takeBack(export.local, () -> takenBack(export));
            check(begun != export.takenBack, "taken back twice, or not at all");
            export.takenBack = true;
            engine.flush();
        }

        private void takenBack(Export export) {
            check(exports.remove(export), "taken back twice");
            checkExport(export, 0, 0);
            endpoint.grants().giveBack(export.grant);
        }

        private void cancel() {
            List<Transfer> from = random.nextBoolean() ? receives : sends;
            if (!from.isEmpty()) {
                Transfer transfer = from.get(random.nextInt(from.size()));
                transfer.cancelled = true;
                engine.cancel(transfer);
            }
        }

        private void finish() {
            finished = true;
            engine.finish();
        }

        // What it is told.

        private void ended(PacketTransfer ended, PacketEnding how) {
            Transfer transfer = (Transfer) ended;
            if (transfer.send) {
                sendEnded(transfer, how);
            } else {
                receiveEnded(transfer, how);
            }
            if (!quiet && random.nextInt(4) == 0) {
                begin();
            }
        }

        private void begin() {
            switch (random.nextInt(5)) {
                case 0, 1 -> receive();
                case 2 -> send();
                case 3 -> write();
                default -> cancel();
            }
        }

        private void sendEnded(Transfer send, PacketEnding how) {
            check(sends.remove(send), "a send ended twice");
            switch (how) {
                case DONE -> {
                    check(send.export != 0 || send.moved == send.length, "not all of it was sent");
                    if (send.export == 0 || send.notify) {
                        sent.add(new Sent(send.serial, send.length, send.export, send.remoteOffset));
                    }
                }
                case CANCELLED ->
                    check(
                            send.cancelled && (send.export != 0 || send.moved == 0),
                            "a send ended as cancelled that was not");
                case NO_EXPORT -> check(send.export != 0, "no export for a packet");
                case MEMORY_FAILED -> {
                    check(memoryFails && send.failure instanceof FailedMemory, "memory failed that did not");
                    failures++;
                    check(send.export != 0 || send.moved == 0, "a part of a packet was sent");
                    tore |= send.export == 0;
                }
                default -> throw new AssertionError("send: " + how);
            }
        }

        private void receiveEnded(Transfer receive, PacketEnding how) {
            check(receives.remove(receive), "a receive ended twice");
            int filled = 0;
            switch (how) {
                case DONE -> filled = received(receive);
                case CANCELLED -> check(receive.cancelled, "a receive ended as cancelled that was not");
                case END_OF_STREAM -> {
                    check(peer.finished && peer.sent.isEmpty() && peer.sends.isEmpty(), "the end came too early");
                    ended = true;
                }
                default -> throw new AssertionError("receive: " + how);
            }
            for (int i = 0; i < receive.memory.capacity(); i++) {
                int length = peer.tore ? receive.length : filled;
                boolean inside = i >= receive.offset && i < receive.offset + length;
                check(inside || receive.memory.get(i) == FILLER, "a byte beside the packet was written");
            }
            giveBack(receive);
        }

        private void giveBack(Transfer receive) {
            if (receive.grant != null) {
                endpoint.grants().giveBack(receive.grant);
            }
        }

        private int received(Transfer receive) {
            Sent expected = peer.sent.poll();
            check(expected != null, "received what was not sent");
            check(receive.notifiedExport == expected.export, "a packet for a notification, or the other way round");
            if (expected.export != 0) {
                notifications++;
                check(
                        receive.notifiedOffset == expected.offset && receive.notifiedLength == expected.length,
                        "a notification of another write");
                for (Export each : exports) {
                    if (each.local.number == expected.export) {
                        checkExport(each, (int) expected.offset, expected.length);
                    }
                }
                return 0;
            }
            packets++;
            check(receive.packetLength == expected.length, "wrong length of a packet");
            check(receive.moved == Math.min(receive.length, expected.length), "wrong length of what was received");
            check(
                    receive.movedDirect >= 0 && receive.movedDirect <= receive.moved,
                    "wrong length of what went directly");
            direct += receive.movedDirect > 0 ? 1 : 0;
            for (int i = 0; i < receive.moved; i++) {
                check(
                        receive.memory.get(receive.offset + i) == peer.ofPacket(expected.serial, i),
                        "a wrong byte in a packet");
            }
            return receive.moved;
        }

        /** Bytes from {@code offset} on have been written; each other one has, or has not, and those beside have not. */
        private void checkExport(Export export, int offset, int length) {
            ByteBuffer memory = export.grant.memory();
            for (int i = 0; i < memory.capacity(); i++) {
                int at = i - export.offset;
                byte is = memory.get(i);
                boolean within = at >= 0 && at < export.length;
                boolean written = within && is == ofExport(export.local.number, at);
                check(written || is == FILLER, "a wrong byte in an export, or one beside it");
                check(written || at < offset || at >= offset + length, "notified before it was written");
            }
        }

        private boolean isSettled() {
            return sends.isEmpty()
                    && sent.isEmpty()
                    && endpoint.underWay() == 0
                    && endpoint.isEmpty()
                    && receives.stream().noneMatch(each -> each.cancelled)
                    && exports.stream().noneMatch(each -> each.takenBack);
        }
    }

    PacketSimulation(long seed, PacketRules rules) {
        this.random = new SplittableRandom(seed);
        int depth = new int[] {3, 4, 8}[random.nextInt(3)];
        FakeEndpoint[] ends = FakeEndpoint.unorderedPair(64 << random.nextInt(4), 64 << random.nextInt(4), depth);
        first = new End(ends[0], 7, rules);
        second = new End(ends[1], 13, rules);
        first.peer = second;
        second.peer = first;
        memoryFails = random.nextInt(4) == 0;
        for (End end : both()) {
            if (random.nextInt(3) != 0) {
                end.endpoint.limitSendBuffer(8 + random.nextInt(64));
            }
            end.endpoint.memoryFails(() -> memoryFails && random.nextInt(8) == 0);
        }
    }

    private End[] both() {
        return new End[] {first, second};
    }

    long steps() {
        return steps;
    }

    /** {@return packets of both directions} */
    long packets() {
        return first.packets + second.packets;
    }

    /** {@return those of which a part or all went straight into a receive} */
    long directPackets() {
        return first.direct + second.direct;
    }

    long failures() {
        return first.failures + second.failures;
    }

    long notifications() {
        return first.notifications + second.notifications;
    }

    /** Runs {@code count} steps, then an ending of some kind. */
    void run(int count) {
        int talkOfFirst = 1 + random.nextInt(8);
        int talkOfSecond = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            boolean ofFirst = random.nextBoolean();
            step(ofFirst ? first : second, random.nextInt(8) < (ofFirst ? talkOfFirst : talkOfSecond));
        }
        switch (random.nextInt(4)) {
            case 0 -> reset();
            case 1 -> closeInOrder();
            default -> {
                settle();
                finishBoth();
            }
        }
    }

    private void step(End end, boolean mayTalk) {
        steps++;
        switch (random.nextInt(24)) {
            case 0, 1, 2 -> {
                if (mayTalk) {
                    end.send();
                }
            }
            case 3, 4 -> {
                if (mayTalk) {
                    end.write();
                }
            }
            case 5, 6, 7, 8 -> end.receive();
            case 9 -> end.export();
            case 10 -> {
                if (random.nextInt(4) == 0) {
                    end.unexport();
                } else if (random.nextInt(100) == 0) {
                    end.finish();
                }
            }
            case 11 -> {
                if (random.nextInt(2) == 0) {
                    end.cancel();
                }
            }
            case 12, 13, 14, 15, 16 -> end.endpoint.deliver(1 + random.nextInt(4));
            case 17, 18, 19, 20, 21 -> end.engine.progress();
            default -> end.engine.flush();
        }
        checkFailure(end);
    }

    private static void checkFailure(End end) {
        if (end.engine.failure() != null) {
            throw new AssertionError(end.engine.failure());
        }
    }

    private void move(End end) {
        steps++;
        end.endpoint.deliver(Integer.MAX_VALUE);
        end.engine.progress();
        end.engine.flush();
        checkFailure(end);
    }

    /** The programs receive until all that was begun to be sent has arrived, and every cancelled thing has ended. */
    private void settle() {
        for (int round = 0; round < MAX_SETTLING_ROUNDS; round++) {
            for (End end : both()) {
                end.quiet = true;
                if (!end.peer.sends.isEmpty() || !end.peer.sent.isEmpty()) {
                    end.receive();
                }
                move(end);
            }
            boolean over = first.isSettled() && second.isSettled();
            if (over) {
                return;
            }
        }
        throw new AssertionError("the ends wait for each other: " + state(first) + "; " + state(second));
    }

    private static String state(End end) {
        return "sends " + end.sends.size() + ", sent " + end.sent.size() + ", receives " + end.receives.size()
                + ", exports " + end.exports.size();
    }

    private void finishBoth() {
        for (End end : both()) {
            end.receive();
            end.finish();
        }
        settle();
        for (End end : both()) {
            end.receive();
            check(end.ended && end.receives.isEmpty(), "no end of the packets");
        }
    }

    /** What PacketSocket does when a connection is over. */
    private void end(End end) {
        end.quiet = true;
        end.lost = true;
        for (PacketTransfer each; (each = end.engine.takeBack()) != null; ) {
            Transfer transfer = (Transfer) each;
            check((transfer.send ? end.sends : end.receives).remove(transfer), "taken back, and had ended");
            end.giveBack(transfer);
        }
        check(end.sends.isEmpty() && end.receives.isEmpty(), "a transfer is left behind the end");
        for (Exports.Local local; (local = end.engine.exports().takeAway()) != null; ) {
            Exports.Local away = local;
            Export export = end.exports.stream()
                    .filter(each -> each.local == away)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("an export was taken away that had ended"));
            end.exports.remove(export);
            end.endpoint.grants().giveBack(export.grant);
        }
        check(end.exports.isEmpty(), "an export is left behind the end");
    }

    /** One end closes with everything sent; the other gets all of it, and then the end. */
    private void closeInOrder() {
        if (first.engine.owesPackets()) {
            reset();
            return;
        }
        first.finished = true;
        first.endpoint.disconnect(DisconnectReason.ORDERLY, first.engine.sentPackets());
        first.engine.fence();
        end(first);
        second.quiet = true;
        first.endpoint.deliver(Integer.MAX_VALUE);
        second.engine.progress();
        while (second.receives.size() < first.sent.size() && second.receives.size() < MAX_RECEIVES) {
            second.receive();
        }
        second.engine.onPeerClosed(second.endpoint.peerLastWord());
        checkFailure(second);
        second.endpoint.disconnect(DisconnectReason.ABORT, 0);
        check(first.sent.isEmpty(), "a packet was lost behind the close");
        check(second.receives.isEmpty(), "a receive is left behind the end of the packets");
        end(second);
        second.endpoint.deliver(Integer.MAX_VALUE);
    }

    /** One end resets; what is under way arrives all the same, and must not reach memory that was given back. */
    private void reset() {
        End end = random.nextBoolean() ? first : second;
        end.endpoint.disconnect(DisconnectReason.ABORT, 0);
        end.engine.fence();
        end(end);
        end.peer.endpoint.deliver(random.nextInt(4));
        end.endpoint.deliver(Integer.MAX_VALUE);
        end.peer.quiet = true;
        end.peer.engine.progress();
        end.peer.endpoint.disconnect(DisconnectReason.ABORT, 0);
        end.peer.engine.fence();
        end(end.peer);
        end.peer.endpoint.deliver(Integer.MAX_VALUE);
        end.engine.flush();
    }
}
