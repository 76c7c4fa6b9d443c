/** The bench's way to the program's memory at the ends of a connection. */
package org.exsockets.verbs.soft.arena;
