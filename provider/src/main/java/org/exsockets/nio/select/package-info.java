/**
 * Selecting: the selector, its keys, and where the readiness of each comes from. Knows channels as {@link
 * org.exsockets.nio.select.ExsChannel} and whatever readiness they have as {@link org.exsockets.nio.select.KeySource};
 * the channels themselves are above, in {@code nio}.
 *
 * <p>A selection belongs to the thread that holds the selector's monitor; what other threads may call says so.
 */
package org.exsockets.nio.select;
