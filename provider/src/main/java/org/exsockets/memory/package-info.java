/**
 * Access to memory: words with stated memory ordering, copies that may fail, and reports of freed direct buffers.
 *
 * <p>Accessors are static and may be used by any thread; the ordering is in their names.
 */
package org.exsockets.memory;
