package org.exsockets.aio;

/**
 * The handshakes of a group's threads. One leads; another one, of the pool, goes to sleep or watches. The follower does
 * not sleep here: it says whether it would. For stress tests.
 */
public final class LeaderAndFollower {
    private static final boolean POOL = false;
    private static final boolean DISPATCHER = true;

    private final Leadership leadership = new Leadership(false);
    private long turn;

    /** A thread of the pool leads. */
    public LeaderAndFollower lead() {
        turn = leadership.tryLead(POOL);
        return this;
    }

    /** Another one watches, and was called before that. */
    public LeaderAndFollower watch() {
        leadership.beginSleep(POOL);
        leadership.beginHandlers(turn, 1);
        leadership.endHandlers(turn);
        leadership.poolWake.drainPermits();
        leadership.tryWatch();
        return this;
    }

    /** The leader. */
    public void giveUp() {
        leadership.giveUp(turn);
    }

    /** The leader. */
    public void beginHandlers() {
        leadership.beginHandlers(turn, 1);
    }

    /** The dispatcher. {@return whether it leaves the lead to the pool} */
    public boolean leadUnlessPoolSleeps() {
        turn = leadership.tryLead(DISPATCHER);
        return turn == 0 || leadership.offer(turn);
    }

    /** The follower. {@return whether it takes the lead instead of falling asleep} */
    public boolean fallAsleep() {
        leadership.beginSleep(POOL);
        return leadership.mayLead(POOL);
    }

    /** The follower. {@return whether it wakes the dispatcher, so that the dispatcher offers it the lead} */
    public boolean fallAsleepBehindDispatcher() {
        return leadership.beginSleep(POOL) || leadership.mayLead(POOL);
    }

    /** The watcher, as all has been quiet. {@return whether it goes on instead of sleeping for good} */
    public boolean stopWatching() {
        leadership.endWatch();
        return !leadership.selecting();
    }

    /** {@return whether a thread of the pool that sleeps is woken} */
    public boolean woken() {
        return leadership.poolWake.tryAcquire();
    }
}
