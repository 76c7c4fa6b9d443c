package org.exsockets.jdk;

/** This JDK is built differently where EXS relies on its inside: see {@link InsideJdk}. Nobody need be warned of it. */
public final class JdkDiffersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JdkDiffersException(String what) {
        super("this JDK is built differently: " + what);
    }
}
