package org.exsockets.aio;

/**
 * The handshakes of a group's threads. One leads; another one, of the pool, goes to sleep or watches. The follower does
 * not sleep here: it says whether it would. For stress tests.
 */
public final class LeaderAndFollower {
    private final Leadership leadership = new Leadership(false);
    private long term;

    /** A thread of the pool leads. */
    public LeaderAndFollower lead() {
        term = leadership.tryLead();
        return this;
    }

    /** Another one watches. */
    public LeaderAndFollower watch() {
        leadership.beginSleep();
        leadership.tryWatch();
        return this;
    }

    /** The leader. */
    public void giveUp() {
        leadership.giveUp(term);
    }

    /** The leader. */
    public void beginHandlers() {
        leadership.beginHandlers(term, 1);
    }

    /** The follower. {@return whether it takes the lead instead of falling asleep} */
    public boolean fallAsleep() {
        leadership.beginSleep();
        return leadership.vacant();
    }

    /** The watcher, as all has been quiet. {@return whether it goes on instead of sleeping for good} */
    public boolean stopWatching() {
        leadership.endWatch();
        return !leadership.selecting();
    }

    /** {@return whether a thread of the pool that sleeps is woken} */
    public boolean woken() {
        return leadership.wake.tryAcquire();
    }
}
