/**
 * Who is an EXS peer: rules, lookup, connecting and listening on devices, and the decision for TCP with its reason.
 * May use {@code verbs} (devices through {@link java.util.ServiceLoader}), {@code stream} (for its version only),
 * {@code packet} (likewise), {@code memory}, {@code progress} (to start its thread), {@code config}, {@code observe}, {@code jdk}.
 */
package org.exsockets.rendezvous;
