package org.exsockets.agent.selftest;

/**
 * The command line.
 *
 * @param host the other host; null: both ends are on this one
 * @param port of the command that listens on the other host, or of this one; 0: any
 * @param seconds how long is measured, about, in all, beside the JVMs' first seconds
 */
record Options(boolean json, boolean listens, String host, int port, int seconds) {
    static final String USAGE =
            "usage: java [-Dexs.NAME=VALUE ...] -jar exs-agent.jar selftest [--json] [--seconds 1-90] [HOST[:PORT]]\n"
                    + "       java [-Dexs.NAME=VALUE ...] -jar exs-agent.jar selftest --listen [PORT]";

    /** Where the command listens, and its servers on the next six ports. */
    static final int DEFAULT_PORT = 7797;

    private static final int DEFAULT_SECONDS = 60;
    private static final int MOST_SECONDS = 90;

    /** Leaves room for the servers' ports. */
    private static final int LAST_PORT = 65_535 - Servers.PORTS;

    /** {@return null if the arguments cannot be understood} */
    static Options parse(String[] arguments) {
        boolean json = false;
        boolean listens = false;
        int seconds = DEFAULT_SECONDS;
        String target = null;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--json")) {
                json = true;
            } else if (arguments[i].equals("--listen")) {
                listens = true;
            } else if (arguments[i].equals("--seconds") && i + 1 < arguments.length) {
                i++;
                seconds = number(arguments[i], MOST_SECONDS);
            } else if (target == null && !arguments[i].isEmpty() && !arguments[i].startsWith("-")) {
                target = arguments[i];
            } else {
                return null;
            }
        }
        if (seconds < 1) {
            return null;
        }
        if (listens) {
            int port = target == null ? DEFAULT_PORT : number(target, LAST_PORT);
            boolean alone = !json && seconds == DEFAULT_SECONDS;
            return port < 0 || !alone ? null : new Options(false, true, null, port, 0);
        }
        return target == null ? new Options(json, false, null, 0, seconds) : to(target, json, seconds);
    }

    private static Options to(String target, boolean json, int seconds) {
        int bracket = target.indexOf(']');
        boolean bracketed = target.startsWith("[") && bracket > 1;
        int colon = target.indexOf(':', Math.max(bracket, 0));
        if (!bracketed && colon >= 0 && target.indexOf(':', colon + 1) >= 0) {
            colon = -1; // An IPv6 address without brackets has no port.
        }
        String host = colon < 0 ? target : target.substring(0, colon);
        int port = colon < 0 ? DEFAULT_PORT : number(target.substring(colon + 1), LAST_PORT);
        return host.isEmpty() || port < 1 ? null : new Options(json, false, host, port, seconds);
    }

    /** {@return -1 if the text is no number from 0 to {@code most}} */
    private static int number(String text, int most) {
        try {
            int number = Integer.parseInt(text);
            return number > most ? -1 : number;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
