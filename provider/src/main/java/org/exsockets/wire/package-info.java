/** The messages of EXS streams, each described once: layout, byte order, limits. Uses no other package. */
package org.exsockets.wire;
