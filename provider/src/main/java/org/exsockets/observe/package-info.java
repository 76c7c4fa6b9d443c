/**
 * What EXS reports about itself: the log, the byte counters of each connection, the reasons for falling back to TCP and
 * the summary at exit.
 *
 * <p>Everything here may be called from any thread and never throws at its caller: observing must not change what a
 * program sees. No thread is started here.
 */
package org.exsockets.observe;
