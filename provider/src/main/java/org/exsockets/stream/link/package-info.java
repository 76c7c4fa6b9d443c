/**
 * What all parts of a stream share, and packets with them: the endpoint and its failure, message credits, phases, and
 * the rules of the protocol. As pure as {@code stream}.
 */
package org.exsockets.stream.link;
