/** Jedis, a client of Redis. */
package org.exsockets.compat.programs.jedis;
