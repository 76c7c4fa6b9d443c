package org.exsockets.jdk;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything inside the JDK that EXS relies on by its name, and what becomes of a program where that is gone. Nothing is printed
 * then: what is slower, or TCP for want of it, the log tells at level {@code info}, and statistics by a reason. Each is tested
 * without. Any thread.
 */
public enum InsideJdk {
    SOCKETS(
            "java.net.SocketImpl",
            Without.NET_IS_TCP,
            "nothing gives programs our implementations",
            "createPlatformSocketImpl(Z)Ljava/net/SocketImpl;"),
    PLATFORM_SOCKETS(
            "sun.net.PlatformSocketImpl", Without.NET_IS_TCP, "the JDK takes our implementations for a program's own"),
    IMPLEMENTATIONS(
            "java.net.Socket",
            Without.SAME,
            "sockets over TCP do not show their descriptors where native libraries look for them",
            "impl"),
    SERVER_SOCKETS(
            "sun.nio.ch.NioSocketImpl",
            Without.NET_IS_TCP,
            "server sockets older than the agent would fail to accept into our implementations"),
    /** Of JDK 17 only. */
    OLD_SERVER_SOCKETS("java.net.AbstractPlainSocketImpl", Without.KNOWN_TO_JVM, "as SERVER_SOCKETS"),
    SELECTORS(
            "sun.nio.ch.SelectorImpl",
            Without.SAME,
            "an agent that comes late leaves channels on TCP, as if there were selectors already"),
    FILE_CHANNELS(
            "sun.nio.ch.FileChannelImpl",
            Without.SAME,
            "copies between files and channels go through the JDK's array of 8 KiB; streams as CHANNEL_INPUT",
            "transferToArbitraryChannel",
            "transferFromArbitraryChannel"),
    CHANNEL_INPUT(
            "sun.nio.ch.ChannelInputStream",
            Without.SAME,
            "streams of Channels cannot read and write at the same time; copies as FILE_CHANNELS",
            "read(Ljava/nio/ByteBuffer;)I",
            "ch"),
    CHANNEL_OUTPUT("sun.nio.ch.ChannelOutputStream", Without.SAME, "as CHANNEL_INPUT", "ch"),
    DIRECT_BUFFERS("java.nio.DirectByteBuffer", Without.KNOWN_TO_JVM, "as DEALLOCATOR"),
    DEALLOCATOR(
            "java.nio.DirectByteBuffer$Deallocator",
            Without.SAME,
            "direct buffers are neither placed in shared memory nor registered with adapters",
            "size"),
    UNMAPPER("sun.nio.ch.FileChannelImpl$Unmapper", Without.SAME, "as DEALLOCATOR", "address", "size"),
    ALLOCATOR("jdk.internal.misc.Unsafe", Without.SAME, "as DEALLOCATOR", "allocateMemory(J)J", "freeMemory(J)V"),
    UNSAFE(
            "jdk.internal.misc.Unsafe",
            Without.SAME,
            "public means are used, which are slower until compiled",
            "getUnsafe()Ljdk/internal/misc/Unsafe;",
            "objectFieldOffset(Ljava/lang/Class;Ljava/lang/String;)J",
            "ensureClassInitialized(Ljava/lang/Class;)V",
            "shouldBeInitialized(Ljava/lang/Class;)Z",
            "staticFieldBase(Ljava/lang/reflect/Field;)Ljava/lang/Object;",
            "staticFieldOffset(Ljava/lang/reflect/Field;)J",
            "putReferenceVolatile(Ljava/lang/Object;JLjava/lang/Object;)V",
            "getReference(Ljava/lang/Object;J)Ljava/lang/Object;",
            "copyMemory(Ljava/lang/Object;JLjava/lang/Object;JJ)V",
            "getInt(Ljava/lang/Object;J)I",
            "getIntVolatile(Ljava/lang/Object;J)I",
            "putInt(Ljava/lang/Object;JI)V",
            "putIntRelease(Ljava/lang/Object;JI)V",
            "compareAndExchangeInt(Ljava/lang/Object;JII)I",
            "getLong(Ljava/lang/Object;J)J",
            "getLongVolatile(Ljava/lang/Object;J)J",
            "putLong(Ljava/lang/Object;JJ)V",
            "putLongRelease(Ljava/lang/Object;JJ)V"),
    BUFFER_ADDRESS("java.nio.Buffer", Without.KNOWN_TO_JVM, "as UNSAFE", "address"),
    BUFFER_ARRAY("java.nio.ByteBuffer", Without.KNOWN_TO_JVM, "as UNSAFE", "hb"),
    BUFFER_ARENA("java.nio.Buffer", Without.SAME, "as UNSAFE, and as HELD_ARENAS", "segment"),
    MAPPED_FILE("java.nio.MappedByteBuffer", Without.SAME, "as UNSAFE", "fd"),
    HELD_ARENAS(
            "sun.nio.ch.IOUtil",
            Without.SAME,
            "arenas can be closed while a call uses a buffer of theirs; the call then fails",
            "acquireScope",
            "releaseScope"),
    DIRECT_MEMORY(
            "sun.nio.ch.DirectBuffer",
            Without.SAME,
            "over adapters, memory of the program is not registered, and is copied",
            "cleaner()",
            "attachment()"),
    CHANNELS("sun.nio.ch.SelChImpl", Without.SAME, "as DESCRIPTORS"),
    DESCRIPTORS(
            "sun.nio.ch.SelChImpl", Without.SAME, "accepts and selections wait by the JDK's selectors", "getFDVal()I"),
    PIPES("sun.nio.ch.SourceChannelImpl", Without.ALL_IS_TCP, "nothing shows a descriptor to the JDK's selectors"),
    FILE_DESCRIPTOR("java.io.FileDescriptor", Without.KNOWN_TO_JVM, "as PIPES", "fd"),
    LAST_HOOKS(
            "jdk.internal.access.JavaLangAccess",
            Without.SAME,
            "the end of the JVM closes connections beside the program's shutdown hooks, not after them",
            "registerShutdownHook(IZLjava/lang/Runnable;)V"),
    SECRETS(
            "jdk.internal.access.SharedSecrets",
            Without.ALL_IS_TCP_FROM_24,
            "as LAST_HOOKS, and as NATIVE_ACCESS",
            "getJavaLangAccess()Ljdk/internal/access/JavaLangAccess;"),
    NATIVE_ACCESS(
            "jdk.internal.access.JavaLangAccess",
            Without.ALL_IS_TCP_FROM_24,
            "the JVM would warn of the native library, which is not loaded then",
            "addEnableNativeAccessToAllUnnamed()V"),
    SELECTOR_PROVIDER("sun.nio.ch.EPollSelectorProvider", Without.SAME, "the JVM's own is asked for"),
    ASYNCHRONOUS_PROVIDER(
            "sun.nio.ch.LinuxAsynchronousChannelProvider",
            Without.SAME,
            "a program without the agent that names our provider and switches EXS off has no asynchronous channels"),
    /** Of another module; used without the agent, and before JDK 22. */
    SUPPORTED_UNSAFE(
            "sun.misc.Unsafe",
            Without.SAME,
            "programs without the agent take --add-exports for sun.nio.ch, and do not notice that a mapped file has become shorter",
            "theUnsafe",
            "allocateInstance",
            "objectFieldOffset",
            "getObject"),
    VIRTUAL_THREADS("java.lang.BaseVirtualThread", Without.KNOWN_TO_JVM, "waiting virtual threads keep their carriers");

    /** What a program with the agent has where a name is gone. */
    public enum Without {
        /** Everything goes over EXS. */
        SAME,
        /** {@code java.net} is TCP, reason {@code jdk-differs}; channels go over EXS. */
        NET_IS_TCP,
        /** Everything is TCP, reason {@code native-missing}. */
        ALL_IS_TCP,
        /** The same, from JDK 24 on; before, everything goes over EXS. */
        ALL_IS_TCP_FROM_24,
        /** Not tried: the JVM itself relies on the name, or the JDK at its start, as we do. */
        KNOWN_TO_JVM
    }

    private final String type;
    private final Without without;
    private final String lost;
    private final List<String> members;

    /**
     * @param type the name of the class
     * @param lost what is lost without
     * @param members fields and methods; with parameters and what they return where only one of a name is meant; none: the
     *     class itself
     */
    InsideJdk(String type, Without without, String lost, String... members) {
        this.type = type;
        this.without = without;
        this.lost = lost;
        this.members = List.of(members);
    }

    public String type() {
        return type;
    }

    /** {@return the name of the class as class files have it} */
    public String internalName() {
        return type.replace('.', '/');
    }

    public Without without() {
        return without;
    }

    /** {@return what is lost where it is gone} */
    public String lost() {
        return lost;
    }

    public List<String> members() {
        return members;
    }

    public String member(int index) {
        String member = members.get(index);
        int parameters = member.indexOf('(');
        return parameters < 0 ? member : member.substring(0, parameters);
    }

    /** {@return the class, not initialized; null: this JDK has none} */
    public @Nullable Class<?> find() {
        try {
            return Class.forName(type, false, InsideJdk.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError gone) {
            return null;
        }
    }

    /** {@return the class, not initialized} */
    public Class<?> get() throws ClassNotFoundException {
        Class<?> found = find();
        if (found == null) {
            throw new ClassNotFoundException(type);
        }
        return found;
    }
}
