/**
 * The asynchronous face of {@code java.nio.channels}: provider's part, groups, channels. It stands upon {@code nio}: an
 * asynchronous channel drives a non-blocking channel of ours, which is EXS or TCP as any other, and a group waits in a
 * selector of ours, with its hot set and its spinning. So there is one place that connects, accepts, reads and writes.
 *
 * <p>Threads: an operation is tried in the thread that starts it. If it has to wait, the thread that leads the group
 * completes it. Locks: that of a {@link org.exsockets.aio.Direction}, held for one non-blocking attempt; under it the
 * timers', and nothing else. Handlers run without locks.
 */
package org.exsockets.aio;
