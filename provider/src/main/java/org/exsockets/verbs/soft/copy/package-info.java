/** How bytes get into memory of the peer: by ordinary stores or by native ones past the caches, whichever is faster now. */
package org.exsockets.verbs.soft.copy;
