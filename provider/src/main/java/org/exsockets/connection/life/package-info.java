/**
 * The life of one connection: its state, its events, what selectors see of it, and what is settled in the background.
 * Knows neither readers nor writers.
 */
package org.exsockets.connection.life;
