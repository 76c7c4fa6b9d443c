package org.exsockets.compat.soak;

/** What befalls the processes of the soak. */
enum Fault {
    /** SIGKILL; another process takes its place, at the same ports. */
    KILL,
    /** SIGSTOP, and SIGCONT a while later. */
    STOP,
    /** A process has no descriptors left for a while. */
    DESCRIPTORS,
    /** The clock of a process, as the calendar has it, jumps: by seconds to years, back and forth. */
    CLOCK
}
