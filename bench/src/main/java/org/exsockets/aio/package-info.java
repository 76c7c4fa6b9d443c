/** The bench's way to the leadership of channel groups. */
package org.exsockets.aio;
