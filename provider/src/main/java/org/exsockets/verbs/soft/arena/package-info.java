/**
 * Memory of programs that peers write to: arenas of this process, those of peers that it has mapped, what one
 * connection reaches of both, and the windows by which an owner takes memory back without the peer.
 *
 * <p>Buffers are freed by the program or by the collector, at any time and in any thread.
 */
package org.exsockets.verbs.soft.arena;
