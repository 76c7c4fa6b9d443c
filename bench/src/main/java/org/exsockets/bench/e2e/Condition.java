package org.exsockets.bench.e2e;

/** What else goes on while a row runs. In the order in which rows run, as ONE_CORE needs JVMs of its own. */
enum Condition {
    /** Nothing. */
    IDLE_MACHINE(""),
    /** One busy loop. */
    ONE_BUSY("one busy loop: "),
    /** A busy loop on every core. */
    BUSY("busy: "),
    /** Both JVMs are confined to one core. */
    ONE_CORE("one core: ");

    /** What names of rows begin with. */
    final String prefix;

    /** {@return busy loops beside the row} */
    int busyLoops() {
        return switch (this) {
            case ONE_BUSY -> 1;
            case BUSY -> Runtime.getRuntime().availableProcessors();
            default -> 0;
        };
    }

    Condition(String prefix) {
        this.prefix = prefix;
    }
}
