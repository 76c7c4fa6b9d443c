/**
 * Programs from Maven Central, unmodified, each with its server in one JVM and its client in another, both apart from this
 * one: over TCP, over EXS, and with either side plain. What they do, and check, is in the modules below {@code programs};
 * this package starts and ends them, compares what the clients have got with what they got over TCP, and reads in {@code
 * exs.stats} what the bytes went over. It knows the programs' drivers by name only.
 */
package org.exsockets.compat.programs;
