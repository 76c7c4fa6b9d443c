package org.exsockets.compat.programs;

/**
 * What drives one side of a program.
 *
 * @param module where it is, which is also the end of its package's name
 * @param name the simple name of the class
 * @param arguments what it is told
 */
record Driver(String module, String name, String... arguments) {
    /** The JDK's clients for web servers, which tell it how they are to be used. */
    static final Driver WEB_CLIENTS = new Driver("jdk", "WebClients");

    /** The JDK's web server. */
    static final Driver WEB_SERVER = new Driver("jdk", "WebServer");

    String className() {
        return "org.exsockets.compat.programs." + module + "." + name;
    }
}
