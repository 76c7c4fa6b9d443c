/**
 * How bytes get into memory of the peer: by ordinary stores or by native ones past the caches, whichever is faster now,
 * and in parts that a waiting peer fetches early.
 */
package org.exsockets.verbs.soft.copy;
