/**
 * Decisions from what was measured: which of two ways is faster, and when to try again what has failed. No threads, no
 * locks, no other room; time comes from outside. Each object belongs to one role of one stream.
 */
package org.exsockets.adapt;
