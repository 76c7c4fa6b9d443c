package org.exsockets.config;

/** What the {@link TransportRules} say about an address. */
public enum Verdict {
    /** A rule asks for EXS. */
    EXS,
    /** A rule asks for plain TCP. */
    TCP,
    /** No rule matches: each device follows its own default. */
    DEFAULT
}
