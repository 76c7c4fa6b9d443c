/**
 * The {@code java.nio.channels} face without the agent: the JVM of the tests has the jar on its class path and names the
 * selector provider in a system property. Contracts whose peer process runs with the agent, and programs in JVMs of their own.
 */
package org.exsockets.compat.noagent;
