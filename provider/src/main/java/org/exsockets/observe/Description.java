package org.exsockets.observe;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What a connection, a listener or a process tells of itself, a value at a time, to whoever has asked. */
public interface Description {
    /**
     * @param key in lower case, words joined by underscores; units in the name
     * @param value may have any characters
     */
    void put(String key, String value);

    /** As {@link #put(String, String)}. */
    default void put(String key, long value) {
        put(key, Long.toString(value));
    }

    /** {@return an address as ss(8) shows it; empty if there is none} */
    static String address(@Nullable InetSocketAddress address) {
        if (address == null || address.getAddress() == null) {
            return "";
        }
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
