package org.exsockets.observe;

import java.util.Locale;

/** Why a connection or a listener is plain TCP. Each has a stable name for machines and a sentence for users. */
public enum FallbackReason {
    DISABLED("EXS is switched off by exs.enabled or exs.device."),
    OPTION_MISSING(
            "The program runs without the agent and without the option of Java that EXS needs then, which a warning names."),
    DEVICE_UNAVAILABLE("No device that exs.device allows can be used on this machine."),
    NATIVE_MISSING("The native library cannot be used on this machine, and there is no shared memory without it."),
    JDK_DIFFERS("This JDK is built differently where EXS would take the place of its sockets."),
    RULE("A rule of exs.rules asks for TCP."),
    NO_RULE("RDMA adapters are used only where a rule of exs.rules asks for EXS, and none does here."),
    UNSUPPORTED_ADDRESS("EXS does not serve this kind of address."),
    NOT_LOCAL("The destination is another host, for which exs.device and exs.rules ask for no RDMA adapter."),
    NO_LISTENER("The destination is on this host, but no program listens there with EXS."),
    OTHER_USER("The peer, or the port, belongs to another user, and exs.peers does not allow that here or there."),
    NO_RDMA_ROUTE("No RDMA adapter of this host leads to the destination."),
    REFUSED("Nobody answers there with EXS: the listener runs without it, or is gone."),
    RDMA_TIMEOUT("The destination gave no answer over RDMA within exs.timeout."),
    REMEMBERED_FAILURE("A connect over RDMA to this host and port has failed less than exs.retry seconds ago."),
    BACKLOG_FULL("The listener has too many connections waiting to be accepted."),
    VERSION("The peer speaks an EXS version that this one does not."),
    HANDSHAKE_FAILED("The peer did not complete the EXS handshake."),
    SHM_FULL("There is no room for another segment of shared memory: memory is scarce, or ulimit -f too low."),
    MEMORY_LIMIT("The memory that this process may share, exs.memory, is used up."),
    LOCKED_MEMORY("The limit of locked memory of this process or the peer's is too low (ulimit -l)."),
    RDMA_EXHAUSTED("The RDMA adapter or the peer's has no room for another connection."),
    DESCRIPTORS_EXHAUSTED("The process has no file descriptors left for EXS."),
    PEER_EXHAUSTED(
            "The process that listens there has no file descriptors, mappings or memory (exs.memory) left for another EXS connection."),
    MEMORY_EXHAUSTED("The program's memory, of the heap, for direct buffers or for threads, is used up."),
    SECURITY_MANAGER("The program has a security manager, whose checks only the platform's own sockets make."),
    REUSEPORT("The listener shares its port through SO_REUSEPORT, so the port's EXS name has no single owner."),
    PEER_PLAIN("The peer connected over TCP: it runs without EXS, or fell back itself.");

    private final String jsonName = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String explanation;

    FallbackReason(String explanation) {
        this.explanation = explanation;
    }

    /** {@return the name in statistics and events, in kebab case; it never changes} */
    public String jsonName() {
        return jsonName;
    }

    public String explanation() {
        return explanation;
    }
}
