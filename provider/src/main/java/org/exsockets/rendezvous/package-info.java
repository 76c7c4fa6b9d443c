/**
 * Which peers EXS reaches: rules, lookup, connecting, listening and accepting on devices and TCP, the TCP side of a
 * connection with its options, and the fallback with its reason. May
 * use {@code verbs} (devices through {@link java.util.ServiceLoader}), {@code stream} and {@code packet} (for their
 * versions only), {@code memory}, {@code progress} (to start its thread), {@code config}, {@code observe}, {@code jdk}.
 */
package org.exsockets.rendezvous;
