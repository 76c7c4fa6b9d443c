/**
 * Which peers EXS reaches: rules, lookup, connecting, listening and accepting on devices and TCP, the TCP side of a
 * connection with its options, and the fallback with its reason. Devices come through {@link java.util.ServiceLoader}.
 */
package org.exsockets.rendezvous;
