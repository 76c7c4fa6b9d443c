package org.exsockets.bench.e2e;

import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;

/**
 * One line of the table.
 *
 * @param name unique among the rows
 * @param spec the values that open it in a child, {@code kind} included
 * @param oneCore both JVMs are confined to one core
 * @param seconds of a round
 */
record Row(String name, Measure measure, Fields spec, boolean oneCore, double seconds) {
    static Fields spec(Kind kind, int sizeBytes) {
        return new Fields("spec").with("kind", kind).with("size", sizeBytes);
    }
}
