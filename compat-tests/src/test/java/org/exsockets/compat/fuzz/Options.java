package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.SocketOption;
import java.util.Set;
import java.util.stream.Collectors;

/** Socket options by their names. Stateless. */
final class Options {
    /** Sets one option of a socket or channel. */
    @FunctionalInterface
    interface Setter {
        <T> void set(SocketOption<T> option, T value) throws IOException;
    }

    /** Gets one. */
    @FunctionalInterface
    interface Getter {
        Object get(SocketOption<?> option) throws IOException;
    }

    private Options() {}

    /** @param arguments name and value */
    static String set(Set<SocketOption<?>> supported, Setter setter, String[] arguments) throws IOException {
        SocketOption<?> option = find(supported, arguments[0]);
        if (option == null) {
            return "not supported";
        }
        set(option, setter, arguments[1]);
        return "ok";
    }

    private static <T> void set(SocketOption<T> option, Setter setter, String value) throws IOException {
        Object typed = option.type() == Boolean.class ? Boolean.valueOf(value) : Integer.valueOf(value);
        setter.set(option, option.type().cast(typed));
    }

    static String get(Set<SocketOption<?>> supported, Getter getter, String name) throws IOException {
        SocketOption<?> option = find(supported, name);
        return option == null ? "not supported" : String.valueOf(getter.get(option));
    }

    static String names(Set<SocketOption<?>> supported) {
        return supported.stream().map(SocketOption::name).sorted().collect(Collectors.joining(" "));
    }

    private static SocketOption<?> find(Set<SocketOption<?>> supported, String name) {
        for (SocketOption<?> option : supported) {
            if (option.name().equals(name)) {
                return option;
            }
        }
        return null;
    }
}
