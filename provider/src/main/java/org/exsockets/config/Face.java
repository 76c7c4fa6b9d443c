package org.exsockets.config;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The APIs through which programs use sockets: each can be left to the JDK ({@code exs.faces}). */
public enum Face {
    /** {@link java.net.Socket} and {@link java.net.ServerSocket}. */
    NET,

    /** Channels and selectors of a {@link java.nio.channels.spi.SelectorProvider}, and their adaptors. */
    NIO,

    /** Channels of a {@link java.nio.channels.spi.AsynchronousChannelProvider}. */
    AIO;

    /** {@return the faces in a text in lower case, split by a regular expression; null if it names anything else} */
    static @Nullable Set<Face> parse(String text, String separator) {
        Set<Face> faces = EnumSet.noneOf(Face.class);
        for (String name : text.split(separator, -1)) {
            switch (name) {
                case "net" -> faces.add(NET);
                case "nio" -> faces.add(NIO);
                case "aio" -> faces.add(AIO);
                default -> {
                    return null;
                }
            }
        }
        return faces;
    }

    /** {@return the names of faces as users write them, in the order given} */
    public static String names(Collection<Face> faces, String separator) {
        StringJoiner names = new StringJoiner(separator);
        for (Face face : faces) {
            names.add(face.name().toLowerCase(Locale.ROOT));
        }
        return names.toString();
    }
}
