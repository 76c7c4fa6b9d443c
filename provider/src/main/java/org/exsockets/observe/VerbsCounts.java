package org.exsockets.observe;

import java.util.Locale;
import java.util.StringJoiner;

/**
 * What one queue pair of an adapter has asked of its device, and been told. Made with the queue pair, registered with
 * {@link Statistics}, and retired when the queue pair is destroyed.
 *
 * <p>The counters are plain, so that counting costs an ordinary add. Each is written under the gate of its call: of
 * posts, of receives, or of polls; {@link Count#EVENTS} by the device's thread. Reporters read without the gates: they
 * may see slightly old values.
 */
public final class VerbsCounts {
    /** What is counted; in the statistics the names are in lower case. */
    public enum Count {
        /** Calls of ibv_post_send(3), each a doorbell. */
        POST_SEND,

        /** Send work requests by opcode, in the order of {@code ibv_wr_opcode}. */
        RDMA_WRITE,
        RDMA_WRITE_WITH_IMM,
        SEND,

        /** Of those: whose payload went with the request; that asked for a completion. */
        INLINE,
        SIGNALED,

        /** Calls of ibv_post_recv(3), and the receives they have posted. */
        POST_RECV,
        RECEIVES,

        /** Calls of ibv_poll_cq(3), those that have found nothing, and what the others have found. */
        POLL_CQ,
        EMPTY_POLLS,
        COMPLETIONS,

        /** Calls of ibv_req_notify_cq(3), and events of the CQ that were taken (ibv_get_cq_event(3)). */
        REQ_NOTIFY_CQ,
        EVENTS
    }

    private static final Count[] ALL = Count.values();

    private final long[] counts = new long[ALL.length];

    /**
     * Counts one call with one request. Under the gate of posts.
     *
     * @param opcode number of {@code ibv_wr_opcode}, 0 to 2
     */
    public void posted(int opcode, boolean inline, boolean signalled) {
        add(Count.POST_SEND, 1);
        counts[Count.RDMA_WRITE.ordinal() + opcode]++;
        add(Count.INLINE, inline ? 1 : 0);
        add(Count.SIGNALED, signalled ? 1 : 0);
    }

    /** Counts one call. Under the gate of receives. */
    public void postedReceives(int count) {
        add(Count.POST_RECV, 1);
        add(Count.RECEIVES, count);
    }

    /** Counts one call. Under the gate of polls. */
    public void polled(int completions) {
        add(Count.POLL_CQ, 1);
        add(Count.EMPTY_POLLS, completions == 0 ? 1 : 0);
        add(Count.COMPLETIONS, completions);
    }

    /** Counts one call. Under the gate of polls. */
    public void armed() {
        add(Count.REQ_NOTIFY_CQ, 1);
    }

    /** The device's thread has taken an event. */
    public void tookEvent() {
        add(Count.EVENTS, 1);
    }

    private void add(Count count, long more) {
        counts[count.ordinal()] += more;
    }

    public long get(Count count) {
        return counts[count.ordinal()];
    }

    /** {@return how often Java has called native code for this} */
    public long crossings() {
        return get(Count.POST_SEND)
                + get(Count.POST_RECV)
                + get(Count.POLL_CQ)
                + get(Count.REQ_NOTIFY_CQ)
                + get(Count.EVENTS);
    }

    /** Adds the counters of {@code other} to these. Only the caller may write to this object. */
    void add(VerbsCounts other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
    }

    String toJson() {
        StringJoiner json = new StringJoiner(",", "{", "}");
        for (Count each : ALL) {
            json.add("\"" + each.name().toLowerCase(Locale.ROOT) + "\":" + get(each));
        }
        return json.add("\"crossings\":" + crossings()).toString();
    }
}
