/**
 * The differential fuzzer: random programs of socket operations run on plain TCP and over EXS, and what they observe must
 * be the same. {@link org.exsockets.compat.fuzz.Generator} makes a {@link org.exsockets.compat.fuzz.FuzzProgram} of a seed,
 * {@link org.exsockets.compat.fuzz.Conductor} has the two processes of a {@link org.exsockets.compat.fuzz.World} execute it
 * operation by operation ({@link org.exsockets.compat.fuzz.Step}, in those processes) and writes down a {@link
 * org.exsockets.compat.fuzz.Trace}, {@link org.exsockets.compat.fuzz.Comparer} compares two, {@link
 * org.exsockets.compat.fuzz.Judge} decides whether a difference counts, and {@link org.exsockets.compat.fuzz.Shrinker} makes
 * a program that shows one small. Uses the harness and the JDK's public interfaces. One thread conducts; the threads of the
 * processes are theirs.
 */
package org.exsockets.compat.fuzz;
