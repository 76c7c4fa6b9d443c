package org.exsockets.stream;

import static org.exsockets.stream.FakeEndpoint.check;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.exsockets.memory.FailedMemory;
import org.exsockets.stream.direct.Receive;
import org.exsockets.stream.link.Rules;
import org.exsockets.stream.link.StreamListener;
import org.exsockets.verbs.DisconnectReason;

/**
 * Two stream engines over a scripted device, and the programs at both ends, which read both through receives of their own
 * and without. One seeded scheduler drives all of it; the roles of one end also interleave, at every post.
 *
 * <p>Checked on real bytes: each byte arrives once and in its place; nothing is ever written to memory that was given back
 * ({@link ProgramGrants}), to a hidden buffer without room, or for which no receive is posted ({@link FakeEndpoint}); no
 * end finds a violation; and when both programs go on, everything arrives and every receive ends.
 */
final class DirectSimulation {
    /** Bytes a receive asks for, at most. */
    private static final int MAX_WANTED = 40;

    private static final int MAX_PENDING = 4;
    private static final int MAX_SETTLING_ROUNDS = 4_000;

    private static final byte[] PATTERN = new byte[1 << 12];

    static {
        SplittableRandom random = new SplittableRandom(42);
        random.nextBytes(PATTERN);
    }

    /** What a weakened end does besides its rules. */
    enum Driving {
        RIGHT,
        /** An end that has something to say does not listen. */
        DEAF_WHILE_OWING,
        /** A hidden buffer is given back as soon as its follower is announced. */
        EARLY_RELEASE
    }

    private final SplittableRandom random;
    private final Driving driving;
    private final End first;
    private final End second;
    private final int growthLimit;

    /** Whether the programs' memory sometimes cannot be read. */
    private final boolean memoryFails;

    private long steps;
    private long failures;

    /** One end. Byte n of a direction is a function of n and of the direction. */
    private final class End {
        private final FakeEndpoint endpoint;
        private final StreamEngine engine;
        private final ByteBuffer output;
        private final ByteBuffer input;
        private final int salt;
        private final List<Posted> pending = new ArrayList<>();
        private End peer;
        private long sent;
        private long received;
        private long direct;
        private boolean finished;
        private boolean ended;
        private boolean lost;

        /** Taken for filling, in a later step. */
        private Receive filling;

        // Roles that are at work: none of them is played by two threads.
        private boolean writing;
        private boolean polling;

        private final class Posted extends Receive {
            private final ProgramGrants.Grant grant = endpoint.grants().lend();

            private Posted(int offset, int length, boolean waitsForAll, boolean registered) {
                into(grant.memory(), offset, length, waitsForAll, registered ? grant : null);
            }

            @Override
            protected void onDone() {
                check(pending.remove(this), "a receive ended twice");
                check(received() <= length(), "more received than asked for");
                checkBytes(memory(), offset(), received());
                direct += receivedDirect();
                switch (ending()) {
                    case RECEIVED ->
                        check(received() > 0 && (!waitsForAll() || received() == length()), "received too little");
                    case END_OF_STREAM -> {
                        check(peer.finished && End.this.received == peer.sent, "end of stream too early");
                        check(received() < length(), "end of stream with a full receive");
                    }
                    case RESET -> check(lost, "a reset receive of a connection that lives");
                    case CANCELLED -> {}
                    default -> throw new AssertionError("ending " + ending());
                }
                endpoint.grants().giveBack(grant);
            }
        }

        private End(FakeEndpoint endpoint, int salt, int maxChunk, Rules rules) {
            this.endpoint = endpoint;
            this.engine = new StreamEngine(endpoint, new StreamListener() {}, true, rules);
            this.salt = salt;
            this.output = ByteBuffer.allocate(maxChunk);
            this.input = ByteBuffer.allocate(maxChunk);
            endpoint.meanwhile(this::meanwhile);
            endpoint.memoryFails(() -> memoryFails && random.nextInt(32) == 0);
        }

        private byte pattern(long position) {
            return PATTERN[(int) (position * salt + (position >>> 7)) & PATTERN.length - 1];
        }

        private void checkBytes(ByteBuffer from, int offset, int count) {
            for (int i = 0; i < count; i++) {
                if (peer.pattern(received + i) != from.get(offset + i)) {
                    throw new AssertionError("byte " + (received + i) + " is wrong");
                }
            }
            received += count;
            check(received <= peer.sent, "more received than sent");
        }

        /** Another role of this end, while one is just posting. */
        private void meanwhile() {
            if (random.nextInt(8) != 0) {
                return;
            }
            switch (random.nextInt(5)) {
                case 0 -> progress();
                case 1 -> send(1 + random.nextInt(MAX_WANTED));
                case 2 -> cancelOne();
                case 3 -> peer.cancelOne();
                default -> engine.flush();
            }
        }

        private void send(int length) {
            if (finished || writing) {
                return;
            }
            writing = true;
            length = Math.min(length, output.capacity());
            output.clear().limit(length);
            for (int i = 0; i < length; i++) {
                output.put(i, pattern(sent + i));
            }
            // What is posted in the middle may arrive, and be checked, before the call returns.
            long before = sent;
            sent = before + length;
            int taken;
            try {
                taken = sendPieces(length);
            } catch (FailedMemory memory) {
                taken = output.position();
                failures++;
                engine.outgoing.announceHeld();
            }
            sent = before + taken;
            writing = false;
            check(taken == output.position() && taken >= 0 && taken <= length, "wrong number of bytes taken");
        }

        /** Sends what is in the buffer, sometimes in two pieces of one write, of which the second one may not come. */
        private int sendPieces(int length) {
            if (random.nextInt(4) != 0) {
                return engine.outgoing.trySend(output);
            }
            output.limit(random.nextInt(length + 1));
            int wanted = output.limit();
            int taken = engine.outgoing.trySend(output, null, true, false);
            if (taken == wanted && random.nextInt(8) != 0) {
                output.limit(length);
                taken += engine.outgoing.trySend(output, null, false, false);
            }
            engine.outgoing.announceHeld();
            check(!engine.outgoing.holds(), "held for nothing");
            return taken;
        }

        private void progress() {
            if (polling || driving == Driving.DEAF_WHILE_OWING && engine.owesOutput()) {
                return;
            }
            polling = true;
            engine.progress();
            polling = false;
        }

        private void post() {
            if (polling || pending.size() >= MAX_PENDING || filling != null) {
                return;
            }
            polling = true;
            Posted receive = new Posted(
                    random.nextInt(4), 1 + random.nextInt(MAX_WANTED), random.nextInt(4) == 0, random.nextInt(16) != 0);
            pending.add(receive);
            engine.post(receive);
            polling = false;
        }

        private void cancelOne() {
            if (!polling && !pending.isEmpty()) {
                polling = true;
                engine.cancel(pending.get(random.nextInt(pending.size())));
                polling = false;
            }
        }

        private void fenceOne() {
            if (!polling && !pending.isEmpty()) {
                polling = true;
                Posted receive = pending.get(random.nextInt(pending.size()));
                check(engine.fence(receive), "not fenced");
                check(receive == filling || receive.isDone(), "fenced and not done");
                polling = false;
            }
        }

        private void fill() {
            if (polling) {
                return;
            }
            polling = true;
            if (filling == null) {
                filling = engine.takeWaiting();
            } else {
                int n = fillTaken();
                Receive taken = filling;
                filling = null;
                engine.filled(taken, n);
            }
            polling = false;
        }

        private int fillTaken() {
            boolean spilled = engine.incoming.spilledBytes() > 0;
            int n = engine.incoming.fill(filling);
            if (!spilled) {
                endpoint.read(n);
            }
            return n;
        }

        private int receive(int length) {
            if (!pending.isEmpty() || polling) {
                return 0;
            }
            boolean spilled = engine.incoming.spilledBytes() > 0;
            input.clear().limit(Math.min(length, input.capacity()));
            int n = engine.incoming.tryReceive(input);
            if (n == Incoming.END_OF_STREAM) {
                check(peer.finished && received == peer.sent, "end of stream too early");
                ended = true;
                return n;
            }
            check(n == input.position(), "position and result differ");
            checkBytes(input, 0, n);
            if (!spilled) {
                endpoint.read(n);
            }
            return n;
        }

        private void finish() {
            if (!writing) {
                finished = true;
                engine.outgoing.finish();
            }
        }

        private boolean quiet() {
            return !engine.owesOutput() && endpoint.underWay() == 0 && endpoint.isEmpty();
        }
    }

    DirectSimulation(long seed, Rules rules, Driving driving) {
        this.random = new SplittableRandom(seed);
        this.driving = driving;
        this.memoryFails = random.nextInt(4) == 0;
        int depth = new int[] {3, 4, 8}[random.nextInt(3)];
        int bufferOfFirst = 1 << random.nextInt(8);
        int bufferOfSecond = 1 << random.nextInt(8);
        FakeEndpoint[] ends = FakeEndpoint.pair(bufferOfFirst, bufferOfSecond, depth);
        ends[0].windows(random.nextBoolean() ? rules.advertLimit() : 0);
        ends[0].stageUpTo(random.nextInt(32));
        growthLimit = random.nextBoolean() ? 256 : 0;
        for (FakeEndpoint end : ends) {
            if (growthLimit > 0) {
                end.limitExposed(growthLimit);
            }
        }
        first = new End(ends[0], 7, 100, rules);
        second = new End(ends[1], 13, 100, rules);
        first.peer = second;
        second.peer = first;
        for (End end : new End[] {first, second}) {
            end.engine.limitBuffer(1); // It grows when this asks for it, not when the policy would.
            if (random.nextInt(3) == 0) {
                end.endpoint.limitSendBuffer(8 + random.nextInt(64));
            }
        }
    }

    /** {@return steps so far} */
    long steps() {
        return steps;
    }

    /** {@return bytes that went straight into receives} */
    long directBytes() {
        return first.direct + second.direct;
    }

    /** {@return writes that have failed, because the program's memory could not be read} */
    long failures() {
        return failures;
    }

    /** {@return bytes of both directions} */
    long receivedBytes() {
        return first.received + second.received;
    }

    /** Runs {@code count} steps, then an ending of some kind. */
    void run(int count) {
        // In some runs the readers wait for the writers, in others the writers for the readers.
        int talkOfFirst = 1 + random.nextInt(8);
        int talkOfSecond = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            boolean ofFirst = random.nextBoolean();
            step(ofFirst ? first : second, random.nextInt(8) < (ofFirst ? talkOfFirst : talkOfSecond));
        }
        switch (random.nextInt(4)) {
            case 0 -> reset(random.nextBoolean() ? first : second);
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
            case 0, 1 -> {
                if (mayTalk) {
                    end.send(1 + random.nextInt(3));
                }
            }
            case 2, 3 -> {
                if (mayTalk) {
                    end.send(1 + random.nextInt(100));
                }
            }
            case 4, 5, 6 -> end.post();
            case 7, 8 -> end.fill();
            case 9, 10 -> end.receive(1 + random.nextInt(100));
            case 11 -> {
                if (random.nextInt(3) == 0) {
                    end.cancelOne();
                }
            }
            case 12 -> {
                if (random.nextInt(20) == 0) {
                    end.fenceOne();
                }
            }
            case 13, 14, 15, 16, 17 -> end.endpoint.deliver(1 + random.nextInt(4));
            case 18, 19, 20, 21 -> end.progress();
            case 22 -> disturb(end);
            default -> end.engine.flush();
        }
        if (end.engine.failure() != null) {
            throw new AssertionError(end.engine.failure());
        }
    }

    private static boolean isAnnounced(End end) {
        Growth growth = end.engine.incoming.buffers.growth;
        return growth != null && growth.announced() != null;
    }

    private void disturb(End end) {
        end.endpoint.grants().reachable(random.nextInt(20) != 0);
        if (growthLimit == 0 || random.nextInt(4) != 0 || end.polling) {
            return;
        }
        end.endpoint.noMemory(random.nextInt(20) == 0);
        HiddenBuffer before = end.engine.incoming.buffers.arriving;
        WantedGrowth.grow(
                end.engine,
                Math.min(growthLimit, end.engine.incoming.buffers.arriving.length << 1 + random.nextInt(3)));
        if (driving == Driving.EARLY_RELEASE && before.region != null && isAnnounced(end)) {
            before.release();
        }
    }

    /** Both programs go on, and everything must arrive; then nothing moves any more. */
    private void settle() {
        for (End end : new End[] {first, second}) {
            end.endpoint.grants().reachable(true);
        }
        long firstGoal = first.sent + (first.finished ? 0 : random.nextInt(600));
        long secondGoal = second.sent + (second.finished ? 0 : random.nextInt(600));
        boolean cancelled = false;
        for (int round = 0; round < MAX_SETTLING_ROUNDS; round++) {
            move(first, firstGoal);
            move(second, secondGoal);
            boolean allSent = first.sent >= firstGoal && second.sent >= secondGoal;
            if (!allSent || !first.quiet() || !second.quiet()) {
                continue;
            }
            if (first.pending.isEmpty()
                    && second.pending.isEmpty()
                    && first.received == second.sent
                    && second.received == first.sent) {
                return;
            }
            // What is left may be held by receives that wait for more.
            if (!cancelled) {
                cancelAll(first);
                cancelAll(second);
                cancelled = true;
            }
        }
        throw new AssertionError("the ends wait for each other: " + state(first) + "; " + state(second));
    }

    private void move(End end, long goal) {
        steps++;
        if (end.sent < goal) {
            end.send((int) Math.min(goal - end.sent, 100));
        }
        end.endpoint.deliver(Integer.MAX_VALUE);
        end.progress();
        end.engine.flush();
        end.fill();
        end.receive(100);
        if (end.engine.failure() != null) {
            throw new AssertionError(end.engine.failure());
        }
    }

    private void cancelAll(End end) {
        end.polling = true;
        List.copyOf(end.pending).forEach(end.engine::cancel);
        end.polling = false;
    }

    private static String state(End end) {
        return "sent " + end.sent + ", received " + end.received + ", pending " + end.pending.size() + ", owes "
                + end.engine.owesOutput();
    }

    private void finishBoth() {
        first.post();
        second.post();
        first.finish();
        second.finish();
        settle();
        first.receive(1);
        second.receive(1);
        check(first.ended && second.ended, "no end of stream");
        check(first.engine.outgoing.finSent() && second.engine.outgoing.finSent(), "no FIN");
    }

    /** One end closes: what it could not announce goes with the disconnect. The other reads everything, to the end. */
    private void closeInOrder() {
        first.finish();
        first.endpoint.disconnect(DisconnectReason.ORDERLY, first.engine.lastWord());
        first.lost = true;
        if (first.filling == null) {
            first.engine.abandon();
            check(first.pending.isEmpty(), "a receive is left behind the close");
        }
        first.endpoint.deliver(Integer.MAX_VALUE);
        second.progress();
        second.engine.onPeerClosed(second.endpoint.peerLastWord());
        check(second.engine.failure() == null, "close in order: " + second.engine.failure());
        check(
                !second.engine.isMissed(second.endpoint.peerLastWord())
                        || second.engine.outgoing.writtenBytes() > first.received,
                "bytes that were read count as missed");
        for (int i = 0; i < MAX_SETTLING_ROUNDS && !second.ended; i++) {
            second.fill();
            second.receive(100);
        }
        check(second.ended && second.received == first.sent, "not everything was read to the end");
        second.endpoint.deliver(Integer.MAX_VALUE);
    }

    /** One end resets; what is under way arrives all the same, and must not reach memory that was given back. */
    private void reset(End end) {
        end.endpoint.disconnect(DisconnectReason.ABORT, 0);
        End other = end.peer;
        end.lost = true;
        other.lost = true;
        end.engine.abandon();
        other.endpoint.deliver(Integer.MAX_VALUE);
        end.endpoint.deliver(Integer.MAX_VALUE);
        other.progress();
        other.engine.abandon();
        for (End each : new End[] {end, other}) {
            if (each.filling != null) {
                each.fill();
            }
            check(each.pending.isEmpty(), "a receive is left behind the reset");
            each.engine.flush();
            each.send(1);
        }
        other.endpoint.deliver(Integer.MAX_VALUE);
    }
}
