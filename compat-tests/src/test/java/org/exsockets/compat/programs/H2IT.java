package org.exsockets.compat.programs;

/** H2: rows, large values, isolation, several connections. */
final class H2IT extends ProgramTest {
    H2IT() {
        super(new Driver("h2", "H2Server"), new Driver("h2", "H2Client"));
    }
}
