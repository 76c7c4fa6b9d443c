package org.exsockets.jdk;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything inside the JDK that EXS relies on by its name, and what becomes of a program where that is gone
 * ("otherwise"). Nothing is printed then: what is slower, or TCP for want of it, the log tells at level {@code info},
 * and statistics by a reason. Each is tested without. Any thread.
 */
public enum InsideJdk {
    /** Otherwise nothing gives programs our implementations. */
    SOCKETS("java.net.SocketImpl", Without.NET_IS_TCP, "createPlatformSocketImpl(Z)Ljava/net/SocketImpl;"),
    /** Otherwise the JDK takes our implementations for a program's own. */
    PLATFORM_SOCKETS("sun.net.PlatformSocketImpl", Without.NET_IS_TCP),
    /** Otherwise sockets over TCP do not show their descriptors where native libraries look for them. */
    IMPLEMENTATIONS("java.net.Socket", Without.SAME, "impl"),
    /** Otherwise server sockets older than the agent would fail to accept into our implementations. */
    SERVER_SOCKETS("sun.nio.ch.NioSocketImpl", Without.NET_IS_TCP),
    /** Of JDK 17 only; as {@link #SERVER_SOCKETS}. */
    OLD_SERVER_SOCKETS("java.net.AbstractPlainSocketImpl", Without.KNOWN_TO_JVM),
    /** Otherwise an agent that comes late leaves channels on TCP, as if there were selectors already. */
    SELECTORS("sun.nio.ch.SelectorImpl", Without.SAME),
    /**
     * Otherwise copies between files and channels go through the JDK's array of 8 KiB; streams as {@link
     * #CHANNEL_INPUT}.
     */
    FILE_CHANNELS(
            "sun.nio.ch.FileChannelImpl", Without.SAME, "transferToArbitraryChannel", "transferFromArbitraryChannel"),
    /** Otherwise streams of Channels cannot read and write at the same time; copies as {@link #FILE_CHANNELS}. */
    CHANNEL_INPUT("sun.nio.ch.ChannelInputStream", Without.SAME, "read(Ljava/nio/ByteBuffer;)I", "ch"),
    /** As {@link #CHANNEL_INPUT}. */
    CHANNEL_OUTPUT("sun.nio.ch.ChannelOutputStream", Without.SAME, "ch"),
    /** As {@link #DEALLOCATOR}. */
    DIRECT_BUFFERS("java.nio.DirectByteBuffer", Without.KNOWN_TO_JVM),
    /** Otherwise direct buffers are neither placed in shared memory nor registered with adapters. */
    DEALLOCATOR("java.nio.DirectByteBuffer$Deallocator", Without.SAME, "size"),
    /** As {@link #DEALLOCATOR}. */
    UNMAPPER("sun.nio.ch.FileChannelImpl$Unmapper", Without.SAME, "address", "size"),
    /** As {@link #DEALLOCATOR}. */
    ALLOCATOR("jdk.internal.misc.Unsafe", Without.SAME, "allocateMemory(J)J", "freeMemory(J)V"),
    /** Otherwise public means are used, which are slower until compiled. */
    UNSAFE(
            "jdk.internal.misc.Unsafe",
            Without.SAME,
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
    /** As {@link #UNSAFE}. */
    BUFFER_ADDRESS("java.nio.Buffer", Without.KNOWN_TO_JVM, "address"),
    /** As {@link #UNSAFE}. */
    BUFFER_ARRAY("java.nio.ByteBuffer", Without.KNOWN_TO_JVM, "hb"),
    /** As {@link #UNSAFE}, and as {@link #HELD_ARENAS}. */
    BUFFER_ARENA("java.nio.Buffer", Without.SAME, "segment"),
    /** As {@link #UNSAFE}. */
    MAPPED_FILE("java.nio.MappedByteBuffer", Without.SAME, "fd"),
    /** Otherwise arenas can be closed while a call uses a buffer of theirs; the call then fails. */
    HELD_ARENAS("sun.nio.ch.IOUtil", Without.SAME, "acquireScope", "releaseScope"),
    /** Otherwise, over adapters, memory of the program is not registered, and is copied. */
    DIRECT_MEMORY("sun.nio.ch.DirectBuffer", Without.SAME, "cleaner()", "attachment()"),
    /** As {@link #DESCRIPTORS}. */
    CHANNELS("sun.nio.ch.SelChImpl", Without.SAME),
    /** Otherwise accepts and selections wait by the JDK's selectors. */
    DESCRIPTORS("sun.nio.ch.SelChImpl", Without.SAME, "getFDVal()I"),
    /** Otherwise nothing shows a descriptor to the JDK's selectors. */
    PIPES("sun.nio.ch.SourceChannelImpl", Without.ALL_IS_TCP),
    /** As {@link #PIPES}. */
    FILE_DESCRIPTOR("java.io.FileDescriptor", Without.KNOWN_TO_JVM, "fd"),
    /** Otherwise the end of the JVM closes connections beside the program's shutdown hooks, not after them. */
    LAST_HOOKS("jdk.internal.access.JavaLangAccess", Without.SAME, "registerShutdownHook(IZLjava/lang/Runnable;)V"),
    /** As {@link #LAST_HOOKS}, and as {@link #NATIVE_ACCESS}. */
    SECRETS(
            "jdk.internal.access.SharedSecrets",
            Without.ALL_IS_TCP_FROM_24,
            "getJavaLangAccess()Ljdk/internal/access/JavaLangAccess;"),
    /** Otherwise the JVM would warn of the native library, which is not loaded then. */
    NATIVE_ACCESS(
            "jdk.internal.access.JavaLangAccess", Without.ALL_IS_TCP_FROM_24, "addEnableNativeAccessToAllUnnamed()V"),
    /** Otherwise the JVM's own is asked for. */
    SELECTOR_PROVIDER("sun.nio.ch.EPollSelectorProvider", Without.SAME),
    /** Otherwise programs without the agent that name our provider and switch EXS off have no asynchronous channels. */
    ASYNCHRONOUS_PROVIDER("sun.nio.ch.LinuxAsynchronousChannelProvider", Without.SAME),
    /**
     * Of another module; used without the agent, and before JDK 22. Otherwise programs without the agent take
     * --add-exports for sun.nio.ch, and do not notice that a mapped file has become shorter.
     */
    SUPPORTED_UNSAFE(
            "sun.misc.Unsafe", Without.SAME, "theUnsafe", "allocateInstance", "objectFieldOffset", "getObject"),
    /** Otherwise waiting virtual threads keep their carriers. */
    VIRTUAL_THREADS("java.lang.BaseVirtualThread", Without.KNOWN_TO_JVM);

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
    private final List<String> members;

    /**
     * @param type the name of the class
     * @param members fields and methods; with parameters and what they return where only one of a name is meant; none: the
     *     class itself
     */
    InsideJdk(String type, Without without, String... members) {
        this.type = type;
        this.without = without;
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
