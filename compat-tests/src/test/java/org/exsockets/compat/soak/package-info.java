/**
 * The soak: processes with EXS and without that connect to each other in all ways, while {@link
 * org.exsockets.compat.soak.Faults} befall them. Each end of a connection is a {@link org.exsockets.compat.soak.Talk} by a
 * {@link org.exsockets.compat.soak.Plan} that both ends know, so that every byte and every turn is checked where it arrives;
 * each process notes in a {@link org.exsockets.compat.soak.Ledger} how its connections ended, and when everything is over,
 * the {@link org.exsockets.compat.soak.Verdict} compares that with the faults. {@link org.exsockets.compat.soak.Step},
 * {@link org.exsockets.compat.soak.Listeners} and {@link org.exsockets.compat.soak.Clients} run in the processes, {@link
 * org.exsockets.compat.soak.Soak} in the test. Uses the harness and the JDK's public interfaces.
 */
package org.exsockets.compat.soak;
