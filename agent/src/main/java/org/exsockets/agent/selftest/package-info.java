/**
 * The command {@code selftest}: tries and measures TCP and EXS between JVMs that it starts, on this host or between two.
 *
 * <p>One JVM runs the command and no traffic. For each transport it starts a {@link Client}, and a {@link Server} or the
 * other host's command does; those for EXS have the agent, the others are plain. All read commands from standard input
 * and end when that ends, so that none outlives the command. Programs that do not run it load nothing of this. May use
 * {@code isolation}; reaches the doctor by name.
 */
package org.exsockets.agent.selftest;
