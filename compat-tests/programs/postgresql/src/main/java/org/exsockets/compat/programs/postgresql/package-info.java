/** The JDBC driver of PostgreSQL. */
package org.exsockets.compat.programs.postgresql;
