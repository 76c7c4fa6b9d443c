/**
 * Direct transfers of one connection: receives that are posted, reads that are advertised, writes that go to ADVERTs.
 * A connection makes these objects when a program or its peer first needs one. May use {@code connection.life} and what is
 * below it.
 */
package org.exsockets.connection.direct;
