package org.exsockets.verbs.disni;

import static org.exsockets.verbs.disni.VerbsHandles.errno;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** DiSNI's own native methods on our library: all there, of the version it wants, and safe from misuse. */
class VerbsDispatcherTest {
    private static final int NATIVES = 48;
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

    private static Stream<Method> natives() {
        return Arrays.stream(NativeDispatcher.class.getDeclaredMethods())
                .filter(method -> Modifier.isNative(method.getModifiers()));
    }

    static Stream<Method> methodsWithAHandle() {
        return natives()
                .filter(method -> Arrays.asList(method.getParameterTypes()).contains(long.class));
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
    void allNativesAreThereWithTheSizesOfTheRealStructures() throws ReflectiveOperationException {
        assertEquals(NATIVES, natives().count());
        assertEquals(32, dispatcher._getVersion());
        assertEquals(16, dispatcher._getSockAddrInSize());
        assertEquals(32, dispatcher._getIbvRecvWRSize());
        assertEquals(128, dispatcher._getIbvSendWRSize());
        assertEquals(16, dispatcher._getIbvSgeSize());
        assertEquals(WcDescriptor.LENGTH, dispatcher._getIbvWCSize());
        assertEquals(40, dispatcher._getRemoteAddressOffset());
        assertEquals(48, dispatcher._getRKeyOffset());
        assertEquals(0, dispatcher._ackCmEvent(CmEventDescriptor.ESTABLISHED));
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

    /** No method takes a memory region and destroys it, or does anything else with one, but for two. */
    @ParameterizedTest
    @MethodSource("methodsWithAHandle")
    void handlesOfAnotherKindAreRefused(Method method) throws IllegalAccessException {
        isRefused(method, handles.of(Verbs.KIND_MR));
    }

    @Test
    void whatWasAdoptedIsNotDestroyed() {
        assertTrue(dispatcher._destroyCmId(handles.of(Verbs.KIND_ID)) < 0);
        assertTrue(dispatcher._destroyEp(handles.of(Verbs.KIND_ID)) < 0);
        assertTrue(dispatcher._destroyQP(handles.of(Verbs.KIND_ID)) < 0);
        assertTrue(dispatcher._destroyCQ(handles.of(Verbs.KIND_CQ)) < 0);
        assertTrue(dispatcher._deallocPd(handles.of(Verbs.KIND_PD)) < 0);
        assertTrue(dispatcher._destroyCompChannel(handles.of(Verbs.KIND_COMPLETION_CHANNEL)) < 0);
        assertTrue(dispatcher._destroyEventChannel(handles.of(Verbs.KIND_EVENT_CHANNEL)) < 0);
    }

    @Test
    void nullAddressesAreRefused() {
        long id = handles.of(Verbs.KIND_ID);
        errno(() -> dispatcher._bindAddr(id, 0));
        errno(() -> dispatcher._resolveAddr(id, 0, 0, 1));
        errno(() -> dispatcher._connect(id, 7, 7, 0, (byte) 1));
        errno(() -> dispatcher._regMr(handles.of(Verbs.KIND_PD), 0, 1, 7, 0, 0, 0));
        errno(() -> dispatcher._postSend(handles.of(Verbs.KIND_QP), 0));
        errno(() -> dispatcher._postRecv(handles.of(Verbs.KIND_QP), 0));
        errno(() -> dispatcher._pollCQ(handles.of(Verbs.KIND_CQ), 1, 0));
        errno(() -> dispatcher._modifyQP(handles.of(Verbs.KIND_QP), 0));
        assertTrue(dispatcher._getSrcAddr(id, 0) < 0);
        assertTrue(dispatcher._getDstAddr(id, 0) < 0);
        assertTrue(dispatcher._getCmEvent(handles.of(Verbs.KIND_EVENT_CHANNEL), 0, 0, 1) < 0);
    }
}
