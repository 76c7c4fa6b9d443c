package org.exsockets.config;

import java.util.Locale;

/** The settings by name, in the order in which their problems are reported. */
enum Setting {
    ENABLED,
    FACES,
    DEVICE,
    RULES,
    PEERS,
    BUFFER,
    MEMORY,
    COPY,
    DUMP,
    DIRECT,
    REGISTER,
    DIRECT_BUFFERS,
    SPIN,
    REHEARSAL,
    NETTY,
    JMX,
    TIMEOUT,
    RETRY,
    RDMA_TOS,
    NATIVE,
    DISNI,
    STATS,
    LOG;

    private final String shortName = name().toLowerCase(Locale.ROOT).replace('_', '.');

    /** {@return the name of this setting as {@code source} spells it} */
    String nameIn(Source source) {
        // No switch over constants of an enum: for each the compiler makes a class, which every start would load.
        if (source == Source.OPTION) {
            return shortName;
        }
        return source == Source.PROPERTY
                ? Source.PROPERTY_PREFIX.concat(shortName)
                : Source.ENVIRONMENT_PREFIX.concat(name());
    }

    /** Where a setting can come from, the strongest first. */
    enum Source {
        OPTION("agent option"),
        PROPERTY("system property"),
        ENVIRONMENT("environment variable");

        static final String PROPERTY_PREFIX = "exs.";
        static final String ENVIRONMENT_PREFIX = "EXS_";

        private final String label;

        Source(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }

        /** {@return whether {@code name} lies in the name space that this source reserves for our settings} */
        boolean claims(String name) {
            if (this == OPTION) {
                return true;
            }
            return this == PROPERTY
                    ? name.startsWith(PROPERTY_PREFIX) && !name.startsWith("exs.test.")
                    : name.startsWith(ENVIRONMENT_PREFIX) && !name.startsWith("EXS_TEST_");
        }
    }
}
