/**
 * Memory that two processes map: creating, opening and unmapping it, and the accessors with stated memory ordering.
 *
 * <p>May use {@code jdk}. Accessors are static and may be used by any thread; the ordering is in
 * their names.
 */
package org.exsockets.memory;
