/**
 * Immutable settings and connection rules: the one place where agent options, system properties, environment variables
 * and the rules file are read and checked.
 *
 * <p>Everything public here is immutable or an enum and may be shared freely between threads; the only state that
 * changes is the lazily resolved host names inside {@link org.exsockets.config.TransportRules}.
 */
package org.exsockets.config;
