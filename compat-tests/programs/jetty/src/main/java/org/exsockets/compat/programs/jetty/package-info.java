/** Eclipse Jetty. */
package org.exsockets.compat.programs.jetty;
