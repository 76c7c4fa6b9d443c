package org.exsockets.compat.programs;

/** gRPC with the Netty in it: calls of all kinds, in the clear and with TLS. */
final class GrpcIT extends ProgramTest {
    GrpcIT() {
        super(new Driver("grpc", "GrpcServer"), new Driver("grpc", "GrpcClient"));
    }
}
