/**
 * The behaviours of TCP sockets in Java that programs rely on, each written once, in abstract classes by area. A
 * package per transport runs them unchanged; plain JDK TCP is one of the transports and proves them. They use the
 * JDK's public interfaces and {@code org.exsockets.compat.harness} only.
 */
package org.exsockets.compat.contract;
