/** The bench's way to the ends of connections of the software device. */
package org.exsockets.verbs.soft.ring;
