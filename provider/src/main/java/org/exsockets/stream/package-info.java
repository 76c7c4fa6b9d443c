/**
 * The EXS stream protocol (MacArthur and Russell, "An Efficient Method for Stream Semantics over RDMA", IPDPS 2014),
 * pure: no threads, no clock but for slow readers, no JDK channels, no lock but the spin gate of {@code AdvertQueue}. Tests drive it over a
 * scripted device.
 *
 * <p>Every method belongs to a role (writer, reader, poller). The caller ensures that one thread at a time has a role,
 * and hands it over with a release/acquire pair. Roles may run concurrently; they share counters with one writer each.
 */
package org.exsockets.stream;
