package org.exsockets.verbs.disni;

import static org.exsockets.verbs.disni.VerbsHandles.errno;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** DiSNI's own native methods on our library: those that we use are there, of the version it wants, and safe from misuse. */
class VerbsDispatcherTest {
    /** Of those with a handle, what {@link DisniObjects} and the rooms above it reach. */
    private static final Set<String> USED = Set.of(
            "_allocPd",
            "_createCQ",
            "_createCompChannel",
            "_createQP",
            "_deallocPd",
            "_deregMr",
            "_destroyCQ",
            "_destroyCompChannel",
            "_destroyQP",
            "_getPdHandle",
            "_regMr");

    private static final int RANDOM_HANDLES = 500;

    private static NativeDispatcher dispatcher;
    private static VerbsHandles handles;

    @BeforeAll
    static void load() throws IOException, ReflectiveOperationException {
        VerbsHandles.assumeUsable();
        Constructor<NativeDispatcher> constructor = NativeDispatcher.class.getDeclaredConstructor();
        constructor.setAccessible(true);
        dispatcher = constructor.newInstance();
        handles = new VerbsHandles();
    }

    @AfterAll
    static void giveBack() throws IOException {
        if (handles != null) {
            handles.close();
        }
    }

    static Stream<Method> methodsWithAHandle() {
        return Arrays.stream(NativeDispatcher.class.getDeclaredMethods())
                .filter(method -> USED.contains(method.getName()));
    }

    /** Whoever takes handles refuses this one: by exception if the method declares one, else by a negative number. */
    private static void isRefused(Method method, long handle) throws IllegalAccessException {
        Object result;
        try {
            result = method.invoke(dispatcher, arguments(method, handle));
        } catch (InvocationTargetException e) {
            assertTrue(e.getCause() instanceof VerbsException, method + ": " + e.getCause());
            assertTrue(declaresException(method), method.toString());
            return;
        }
        assertTrue(!declaresException(method), method + " took " + Long.toHexString(handle));
        assertTrue(((Number) result).longValue() < 0, method + " gave " + result);
    }

    private static boolean declaresException(Method method) {
        return List.of(method.getExceptionTypes()).contains(IOException.class);
    }

    private static Object[] arguments(Method method, long handle) {
        List<Object> arguments = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            if (type == long.class) {
                arguments.add(handle);
            } else if (type == int.class) {
                arguments.add(1);
            } else if (type == short.class) {
                arguments.add((short) 0x106);
            } else if (type == byte.class) {
                arguments.add((byte) 1);
            } else {
                throw new AssertionError(method);
            }
        }
        return arguments.toArray();
    }

    @Test
    void theNativesAreThereWithTheSizesOfTheRealStructures() {
        assertEquals(USED.size(), methodsWithAHandle().count());
        assertEquals(32, dispatcher._getVersion());
        assertEquals(16, dispatcher._getSockAddrInSize());
        assertEquals(32, dispatcher._getIbvRecvWRSize());
        assertEquals(128, dispatcher._getIbvSendWRSize());
        assertEquals(16, dispatcher._getIbvSgeSize());
        assertEquals(WcDescriptor.LENGTH, dispatcher._getIbvWCSize());
        assertEquals(40, dispatcher._getRemoteAddressOffset());
        assertEquals(48, dispatcher._getRKeyOffset());
    }

    @ParameterizedTest
    @MethodSource("methodsWithAHandle")
    void wrongHandlesAreRefused(Method method) throws IllegalAccessException {
        for (long each : new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, handles.closed()}) {
            isRefused(method, each);
        }
        long seed = Long.getLong("exs.test.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < RANDOM_HANDLES; i++) {
            isRefused(method, random.nextLong());
        }
    }

    /** A memory region that was adopted is not even the one method's that takes one. */
    @ParameterizedTest
    @MethodSource("methodsWithAHandle")
    void handlesOfAnotherKindAreRefused(Method method) throws IllegalAccessException {
        isRefused(method, handles.of(Verbs.KIND_MR));
    }

    @Test
    void whatWasAdoptedIsNotDestroyed() {
        assertTrue(dispatcher._destroyQP(handles.of(Verbs.KIND_ID)) < 0);
        assertTrue(dispatcher._destroyCQ(handles.of(Verbs.KIND_CQ)) < 0);
        assertTrue(dispatcher._deallocPd(handles.of(Verbs.KIND_PD)) < 0);
        assertTrue(dispatcher._destroyCompChannel(handles.of(Verbs.KIND_COMPLETION_CHANNEL)) < 0);
    }

    @Test
    void nullAddressesAreRefused() {
        errno(() -> dispatcher._regMr(handles.of(Verbs.KIND_PD), 0, 1, 7, 0, 0, 0));
    }
}
