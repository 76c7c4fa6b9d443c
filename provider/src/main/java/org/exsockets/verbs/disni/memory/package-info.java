/**
 * Memory that adapters may read and write: that of connections, registered for one connection each, and that of
 * the program, whose registrations are kept until the memory is freed. All of it is locked, so
 * that there are bounds.
 *
 * <p>Any thread: the source and the cache serve all connections of an adapter.
 */
package org.exsockets.verbs.disni.memory;
