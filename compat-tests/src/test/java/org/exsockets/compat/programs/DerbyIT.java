package org.exsockets.compat.programs;

/** Apache Derby: rows, large values, isolation, several connections. */
final class DerbyIT extends ProgramTest {
    DerbyIT() {
        super(new Driver("derby", "DerbyServer"), new Driver("derby", "DerbyClient"));
    }
}
