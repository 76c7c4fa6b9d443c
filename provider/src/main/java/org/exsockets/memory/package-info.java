/**
 * Memory that two processes map: creating, opening and unmapping it, and the accessors with stated memory ordering.
 *
 * <p>Depends on nothing else of this project. Accessors are static and may be used by any thread; the ordering is in
 * their names.
 */
package org.exsockets.memory;
