/**
 * The asynchronous face of {@code java.nio.channels}: provider, groups, channels. It is built on {@code nio}: an
 * asynchronous channel drives a non-blocking channel of ours, EXS or TCP, and a group waits in a selector of ours, with
 * its hot set and its spinning. So there is one place that connects, accepts, reads and writes.
 *
 * <p>Threads: an operation is tried in the thread that starts it. If it has to wait, the thread that leads the group
 * completes it. Locks: that of a {@link org.exsockets.aio.Direction}, held for one non-blocking attempt, or to take a
 * buffer back; under it those of the registration, the channel within and the timers. Handlers run without locks.
 */
package org.exsockets.aio;
