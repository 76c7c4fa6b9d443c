package org.exsockets.config;

/** How much is logged, from nothing to everything: the levels of {@code exs.log}, in ascending verbosity. */
public enum LogLevel {
    OFF,
    ERROR,
    WARN,
    INFO,
    DEBUG
}
