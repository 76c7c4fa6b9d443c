/** Eclipse Vert.x, and the Netty under it. */
package org.exsockets.compat.programs.vertx;
