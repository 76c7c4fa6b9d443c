/**
 * What this process shares with others: segments, and who may use them next; what each process tells of itself, with
 * the signs of its sleeping selectors and the pages of its listeners; the doorbells; and the count of all of it.
 *
 * <p>What a peer has written is checked before it is used. Segments and processes of peers are mapped as long as they
 * have users.
 */
package org.exsockets.verbs.soft.shared;
