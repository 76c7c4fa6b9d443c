/**
 * The behaviours of TCP sockets in Java that programs rely on, each written once, in one concrete class for each area. The
 * same classes run over each {@linkplain org.exsockets.compat.harness.Transport transport}, which is a property of the JVM
 * that runs them; plain JDK TCP is one of them and proves them. {@link org.exsockets.compat.harness.Over} and
 * {@link org.exsockets.compat.harness.NotOver} say where a behaviour holds. Tags say in which further ways a contract runs:
 *
 * <ul>
 *   <li>{@code placed}: large direct buffers of both processes in shared memory; for what moves bytes or could leave some behind
 *   <li>{@code fallback}: with the agent, where nothing but TCP leads to the peer; for what connects, listens or selects
 *   <li>{@code noagent}: with the selector provider, and without the agent; for channels
 *   <li>{@code esapi}: the ES-API; not over the JDK's TCP, which has none
 *   <li>{@code usual}: in none of these
 *   <li>{@code long}: not a part of the build, but of {@code compat-tests/qa}: takes the whole machine for a while
 * </ul>
 *
 * {@link org.exsockets.compat.harness.ContractTagsTest} has each contract decide. The contracts use the JDK's public interfaces,
 * the ES-API's and {@code org.exsockets.compat.harness} only.
 */
package org.exsockets.compat.contract;
