/**
 * Waiting for completions: adaptive spinning, arming, sleeping on a completion channel, and the one background thread
 * that acts for connections on which no thread waits.
 *
 * <p>May use {@code stream}, {@code verbs}, {@code config}, {@code jdk} and {@code observe}. Nothing here knows what a
 * completion means.
 */
package org.exsockets.progress;
