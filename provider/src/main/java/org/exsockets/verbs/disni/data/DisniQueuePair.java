package org.exsockets.verbs.disni.data;

import java.nio.ByteBuffer;
import org.exsockets.observe.VerbsCounts;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WakeWord;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of an RDMA adapter: {@link SendQueue} posts its requests, and this tells how much room there is for
 * more. Receives are {@link DisniCompletionQueue}'s. It also takes the queue pair from the peer at the end, and reads
 * what the peer has said of it.
 */
public final class DisniQueuePair implements QueuePair {
    private static final int SMALL_ROOM_DIVISOR = 8;

    private final long qp;
    private final Bell bell;
    private final QueuePairOwner owner;
    private final SendQueue sends;
    private final DisniCompletionQueue completions;
    private final SendRing ring;
    private final @Nullable DisniWakeWord wakeWord;
    private final PeerProbe starvation = new PeerProbe();
    private final Severance severance;

    /**
     * @param resources made
     * @param bell rung by others; hung up here when the queue pair gets into the error state
     * @throws VerbsException if the device does not tell how much it takes inline
     */
    public DisniQueuePair(ConnectionResources resources, Bell bell, QueuePairOwner owner) throws VerbsException {
        this.qp = resources.qpHandle();
        this.bell = bell;
        this.owner = owner;
        this.sends = new SendQueue(resources, bell, owner);
        this.completions = sends.completions;
        this.ring = sends.ring;
        this.wakeWord = DisniWakeWord.of(completions::armForDevice, resources.memory());
        bell.wakes(wakeWord);
        this.severance = new Severance(new Severed());
    }

    @Override
    public int send(ByteBuffer payload, int offset, int length, boolean solicited) {
        return sends.send(payload, offset, length, solicited);
    }

    @Override
    public int write(ByteBuffer payload, int offset, int length, long address, int key, @Nullable ProgramMemory from) {
        return sends.write(Verbs.OPCODE_RDMA_WRITE, false, payload, offset, length, address, key, 0, from);
    }

    @Override
    public int writeWithImmediate(
            ByteBuffer payload,
            int offset,
            int length,
            long address,
            int key,
            @Nullable ProgramMemory from,
            int immediate,
            boolean solicited) {
        int opcode = Verbs.OPCODE_RDMA_WRITE_WITH_IMM;
        return sends.write(opcode, solicited, payload, offset, length, address, key, immediate, from);
    }

    @Override
    public int sendRoom() {
        if (sends.error) {
            return ring.lengthBytes / 2; // Not 0: the caller is to post, and learn of the error.
        }
        int room = ring.contiguousRoom();
        if (room < ring.lengthBytes / SMALL_ROOM_DIVISOR) {
            completions.harvest();
            room = ring.contiguousRoom();
        }
        return sends.hasWriteSlot() ? Math.min(room, ring.lengthBytes / 2) - sends.stagedBytes() : 0;
    }

    @Override
    public boolean stage(ByteBuffer payload, int offset, int length, long address, int key) {
        return sends.stage(payload, offset, length, address, key);
    }

    @Override
    public int postStaged() {
        return sends.postStaged();
    }

    @Override
    public int registeredRoom() {
        return sends.error || sends.hasWriteSlot() ? SendQueue.MAX_REGISTERED_WRITE : 0;
    }

    @Override
    public long unfinishedWrites() {
        long unfinished = sends.registered - sends.registeredFreed;
        if (unfinished != 0) {
            completions.harvest();
            unfinished = sends.registered - sends.registeredFreed;
        }
        return severance.isDone() ? 0 : unfinished;
    }

    /** As {@link org.exsockets.verbs.DirectAccess#takeAway}. */
    public void sever() {
        severance.sever();
    }

    private final class Severed implements Severance.Target {
        @Override
        public void close() {
            enterError();
            completions.giveLastSlot();
        }

        @Override
        public void setError() throws VerbsException {
            Verbs.setError(qp);
        }

        @Override
        public boolean isDrained() {
            completions.harvest();
            return completions.hasAllSlotsBack() && sends.registered == sends.registeredFreed;
        }

        @Override
        public void broken() {
            bell.hangUp();
        }

        @Override
        public String toString() {
            return owner.toString();
        }
    }

    @Override
    public void awaitPeer() {
        if (starvation.await(sends.writes)) {
            owner.watchPeer();
        }
    }

    @Override
    public void keepAlive(int idleSeconds) {
        owner.keepAlive(idleSeconds);
    }

    /**
     * Device thread: asks the peer's device for an acknowledgement, if nothing has been written since the upper layer
     * last found no room.
     *
     * @return whether the upper layer still waits, as far as can be told
     */
    public boolean probe(long remoteAddress, int rkey) {
        if (!starvation.isDue(sends.writes)) {
            return starvation.starvesAgain(() -> sends.writes);
        }
        probeNow(remoteAddress, rkey);
        return true;
    }

    /** Device thread: asks the peer's device for an acknowledgement, by an empty write. */
    public void probeNow(long remoteAddress, int rkey) {
        sends.probe(remoteAddress, rkey);
    }

    /**
     * Posts the farewell behind everything else, in the error state, too.
     *
     * @return whether {@link QueuePairOwner#farewellCompleted} will be called
     */
    public boolean postFarewell(DisconnectReason reason, long lastWord) {
        return sends.postFarewell(ByteBuffer.allocate(FarewellDescriptor.LENGTH)
                .putInt(FarewellDescriptor.REASON_OFFSET, reason.code())
                .putLong(FarewellDescriptor.LAST_WORD_OFFSET, lastWord));
    }

    /**
     * Device thread: the connection manager has reported the end, perhaps before the farewell, which then still
     * completes, at the latest in front of the receives that are flushed. Until {@link #endDrain} what is flushed is no
     * sign of a loss.
     */
    public void beginDrain() {
        sends.draining = true;
    }

    /** Device thread: takes what has completed. {@return whether nothing of the peer's can come any more} */
    public boolean isDrained() {
        completions.harvest();
        return peerReason() != DisconnectReason.NONE || completions.hasAllSlotsBack();
    }

    /** Device thread: the connection is over. */
    public void endDrain() {
        sends.draining = false;
        sends.lost();
    }

    @Override
    public boolean postReceives(int count, long wrId, ByteBuffer target, int offset, int lengthBytes) {
        return completions.postReceives(count, wrId, target, offset, lengthBytes);
    }

    @Override
    public CompletionQueue completionQueue() {
        return completions;
    }

    /** {@return what it has asked of the device} */
    public VerbsCounts counts() {
        return sends.counts;
    }

    /** {@return {@link #completionQueue}, with what concerns the device} */
    public DisniCompletionQueue completions() {
        return completions;
    }

    @Override
    public CompletionChannel completionChannel() {
        return bell;
    }

    @Override
    public @Nullable WakeWord wakeWord() {
        return wakeWord;
    }

    @Override
    public boolean inError() {
        return sends.error;
    }

    public void enterError() {
        sends.enterError();
    }

    @Override
    public DisconnectReason peerReason() {
        return sends.peerReason;
    }

    @Override
    public long peerLastWord() {
        return sends.peerLastWord;
    }

    @Override
    public boolean delivered() {
        return owner.delivered();
    }

    @Override
    public void disconnect(DisconnectReason reason, long lastWord) {
        owner.disconnect(reason, lastWord);
    }
}
