/**
 * The device provider of RDMA adapters: opens them as one device, and examines what they need on this machine. Nobody
 * knows it by name; {@link java.util.ServiceLoader} finds it.
 *
 * <p>An examination belongs to one thread.
 */
package org.exsockets.verbs.disni.provider;
