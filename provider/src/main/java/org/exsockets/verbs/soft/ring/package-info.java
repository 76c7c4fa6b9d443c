/**
 * One end of a connection: what it posts goes into the slots of the peer, what it polls comes out of its own. Beside
 * that the reserves, the words and signs that wake a sleeper, and the port of a client that has none.
 *
 * <p>Any thread posts; one at a time polls and posts receives.
 */
package org.exsockets.verbs.soft.ring;
