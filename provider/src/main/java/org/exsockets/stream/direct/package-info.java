/**
 * Direct transfers of a stream: the ADVERTs of the peer, and the receives of this end with the ADVERTs and CANCELs for
 * them. As pure as {@code stream}.
 */
package org.exsockets.stream.direct;
