/** The H2 database with its server and its driver. */
package org.exsockets.compat.programs.h2;
