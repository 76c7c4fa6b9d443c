/**
 * Direct transfers of one connection: receives that are posted, reads that are advertised, writes that go to ADVERTs.
 * A connection makes these objects when a program or its peer first needs one.
 */
package org.exsockets.connection.direct;
