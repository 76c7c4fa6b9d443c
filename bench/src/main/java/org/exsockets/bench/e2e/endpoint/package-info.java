/**
 * What runs in the child JVMs of the two-JVM comparison: plain programs against the JDK's socket interfaces, with no
 * knowledge of what carries them. One thread serves all commands; between commands it is asleep in a read of standard
 * input. Uses HdrHistogram and nothing of the other bench packages.
 */
package org.exsockets.bench.e2e.endpoint;
