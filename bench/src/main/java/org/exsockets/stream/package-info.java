/** The bench's way into streams. */
package org.exsockets.stream;
