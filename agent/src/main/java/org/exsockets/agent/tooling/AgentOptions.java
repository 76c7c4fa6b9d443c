package org.exsockets.agent.tooling;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the agent's argument: {@code name=value} pairs, separated by commas. Any thread. */
final class AgentOptions {
    private AgentOptions() {}

    /**
     * {@return the options by name, in their order}
     *
     * @param arguments what follows {@code -javaagent:jar=}; may be null or empty
     * @throws IllegalArgumentException if a part is not {@code name=value} or a name comes twice; the message is meant
     *     for the user
     */
    static Map<String, String> parse(String arguments) {
        Map<String, String> options = new LinkedHashMap<>();
        if (arguments == null || arguments.isEmpty()) {
            return options;
        }
        int start = 0;
        while (start <= arguments.length()) {
            int comma = arguments.indexOf(',', start);
            int end = comma < 0 ? arguments.length() : comma;
            String option = arguments.substring(start, end);
            int equals = option.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("agent option '" + option + "': expected name=value");
            }
            String name = option.substring(0, equals);
            if (options.put(name, option.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("agent option '" + name + "': given more than once");
            }
            start = end + 1;
        }
        return options;
    }
}
