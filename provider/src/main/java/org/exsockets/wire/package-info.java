/** The messages of EXS streams, each described once: layout, byte order, limits. May use {@code memory} only. */
package org.exsockets.wire;
