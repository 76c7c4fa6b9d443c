/**
 * Decisions from what was measured: which of two ways is faster, how long to wait for an ADVERT, when to try again what
 * has failed. No threads, no locks; time comes from outside or from {@link java.lang.System#nanoTime}.
 *
 * <p>May use {@code stream}, {@code verbs}, {@code config}, {@code observe} and {@code jdk}. Each object belongs to one
 * role of one stream.
 */
package org.exsockets.adapt;
