package org.exsockets.bench.e2e.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line between the parent and a child: a verb and named values, {@code round seconds=0.5}. Values are without white
 * space. Not thread-safe; built, sent and forgotten.
 */
public final class Fields {
    private final String verb;
    private final Map<String, String> values = new LinkedHashMap<>();

    public Fields(String verb) {
        this.verb = verb;
    }

    /**
     * Reads a line as {@link #toString} writes it.
     *
     * @throws IllegalArgumentException if a word after the verb has no {@code =}
     */
    public static Fields parse(String line) {
        String[] words = line.trim().split("\\s+");
        Fields fields = new Fields(words[0]);
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("bench command: expected name=value: word=" + words[i]);
            }
            fields.values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return fields;
    }

    public String verb() {
        return verb;
    }

    public Fields with(String name, Object value) {
        values.put(name, String.valueOf(value));
        return this;
    }

    /** Adds all values of another line, replacing equal names. */
    public Fields withAll(Fields other) {
        values.putAll(other.values);
        return this;
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("bench command: missing value: name=" + name + ", line=" + this);
        }
        return value;
    }

    public int integer(String name) {
        return Integer.parseInt(text(name));
    }

    public double number(String name) {
        return Double.parseDouble(text(name));
    }

    /** {@return all names and values, in order of arrival} */
    public Map<String, String> values() {
        return values;
    }

    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(verb);
        values.forEach(
                (name, value) -> line.append(' ').append(name).append('=').append(value));
        return line.toString();
    }
}
