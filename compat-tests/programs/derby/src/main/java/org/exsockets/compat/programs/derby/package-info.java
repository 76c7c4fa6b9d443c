/** The Apache Derby database with its network server and its client. */
package org.exsockets.compat.programs.derby;
