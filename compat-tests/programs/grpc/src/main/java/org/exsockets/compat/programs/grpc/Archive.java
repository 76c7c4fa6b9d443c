package org.exsockets.compat.programs.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The service's methods, whose messages are plain bytes. */
final class Archive {
    static final String NAME = "org.exsockets.Archive";
    static final int LARGEST_MESSAGE_BYTES = 16 << 20;

    /** Bytes to their digest. */
    static final MethodDescriptor<byte[], byte[]> HASH = method("Hash", MethodType.UNARY);

    /** A number to as many messages. */
    static final MethodDescriptor<byte[], byte[]> FETCH = method("Fetch", MethodType.SERVER_STREAMING);

    /** Messages to the digest of all. */
    static final MethodDescriptor<byte[], byte[]> STORE = method("Store", MethodType.CLIENT_STREAMING);

    /** Messages to themselves. */
    static final MethodDescriptor<byte[], byte[]> ECHO = method("Echo", MethodType.BIDI_STREAMING);

    private Archive() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
                .setType(type)
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
