/**
 * What every call on a socket or channel returns or throws, in every state that it may be in: programs that print it,
 * for {@link org.exsockets.compat.seams.StatesIT} to compare.
 */
package org.exsockets.compat.seams.programs.states;
