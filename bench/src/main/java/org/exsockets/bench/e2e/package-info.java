/**
 * The two-JVM comparison: starts a server and a client JVM per transport, drives them alternately over their standard
 * streams, and prints one table. Runs in the parent JVM only; what the children run is in {@code endpoint}, which
 * knows nothing of this package.
 */
package org.exsockets.bench.e2e;
