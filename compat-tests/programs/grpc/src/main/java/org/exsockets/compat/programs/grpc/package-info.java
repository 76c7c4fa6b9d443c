/** gRPC with the Netty that it brings in packages of its own: calls of all four kinds, errors, deadlines, TLS. */
package org.exsockets.compat.programs.grpc;
