/**
 * Where programs meet the JVM rather than each other: its end, class loaders, lost objects, children, archives of classes,
 * other agents, modules; and other users, and processes that are no Java programs. Each test runs programs of
 * {@code seams.programs} in JVMs of their own, on plain TCP, which says what is right, and with the agent.
 */
package org.exsockets.compat.seams;
