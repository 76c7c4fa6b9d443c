/** Members of a JGroups cluster, over its transport with threads and streams, and over the one with selectors. */
package org.exsockets.compat.programs.jgroups;
