/**
 * Waiting for completions: adaptive spinning, arming, sleeping on a completion channel, and the one background thread
 * that acts for connections on which no thread waits; and how a call waits: its turn, its time-out, its outcome.
 *
 * <p>Nothing here knows what a completion means.
 */
package org.exsockets.waiting;
