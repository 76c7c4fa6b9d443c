/** The bench's way to what happens to a connection without a call of the program. */
package org.exsockets.connection.life;
