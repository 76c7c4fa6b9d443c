package org.exsockets.bench.e2e;

/** What else goes on while a row runs. In the order in which rows run, as ONE_CORE needs JVMs of its own. */
enum Condition {
    /** Nothing. */
    IDLE_MACHINE(""),
    /** A busy loop on every core. */
    BUSY("busy: "),
    /** Both JVMs are confined to one core. */
    ONE_CORE("one core: ");

    /** What names of rows begin with. */
    final String prefix;

    Condition(String prefix) {
        this.prefix = prefix;
    }
}
