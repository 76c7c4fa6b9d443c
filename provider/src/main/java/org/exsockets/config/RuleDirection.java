package org.exsockets.config;

/** What a program is about to do with an address, as {@link TransportRules} distinguish it. */
public enum RuleDirection {
    CONNECT,
    LISTEN
}
