package org.exsockets.agent.selftest;

/**
 * What one transport did in one slice of a row, in the row's unit.
 *
 * @param value of round trips their median
 * @param tail of round trips their 99th percentile; else 0
 * @param longest of round trips; else 0
 * @param count of round trips, connects or bytes
 * @param cpuNs processor time of the JVMs on this host
 */
record Slice(double value, double tail, double longest, long count, long wallNs, long cpuNs) {}
