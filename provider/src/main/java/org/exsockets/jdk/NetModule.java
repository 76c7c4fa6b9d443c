package org.exsockets.jdk;

/**
 * The module jdk.net, which has the credentials of peers and channels over descriptors. A runtime may be linked without
 * it, and a program in a named module has only the modules that it asks for. The agent brings it in.
 */
public final class NetModule {
    public static final String ADVICE = "this JVM has no module jdk.net; start it with --add-modules jdk.net, or link "
            + "the runtime with it (jlink --add-modules jdk.net,...)";

    private NetModule() {}

    public static boolean isThere() {
        try {
            Class.forName("jdk.net.ExtendedSocketOptions", false, NetModule.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
