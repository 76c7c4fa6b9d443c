package org.exsockets.verbs.soft.meet;

import org.exsockets.verbs.soft.layout.SegmentDescriptor;

/**
 * The process at the other end of a socket, as the kernel knows it (SO_PEERCRED, unix(7)). Both ends check: the client
 * each listener, the listener each client that passes a segment. A client that names a segment already mapped proves
 * that it is the same one by a number in it ({@link SegmentDescriptor#PROOF_OFFSET}).
 *
 * @param user its effective user, unsigned, as this process sees it; the overflow user if the user namespace has no
 *     number for it
 * @param processId 0 if this process cannot see it
 */
record Credentials(int user, int processId) {}
