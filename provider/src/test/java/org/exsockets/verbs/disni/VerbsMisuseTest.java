package org.exsockets.verbs.disni;

import static org.exsockets.verbs.disni.VerbsHandles.errno;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong handles and arguments get an exception from every native method; the JVM lives on. */
class VerbsMisuseTest {
    private static final int RANDOM_HANDLES = 2000;
    private static final int ANY_KIND = 0;

    /** The kind of each method's first argument, where that is a handle. */
    private static final Map<String, Integer> KINDS = new TreeMap<>();

    static {
        put(Verbs.KIND_CONTEXT, "closeDevice", "deviceName", "queryDevice", "asyncDescriptor", "nextAsyncEvent");
        put(Verbs.KIND_EVENT_CHANNEL, "destroyEventChannel", "eventDescriptor", "createId", "nextCmEvent");
        put(Verbs.KIND_ID, "destroyId", "context", "bind", "setOption", "listen", "resolveAddress", "resolveRoute");
        put(Verbs.KIND_ID, "sourceAddress", "destinationAddress", "devicePort", "connect", "accept", "reject");
        put(Verbs.KIND_ID, "disconnect");
        put(Verbs.KIND_COMPLETION_CHANNEL, "completionDescriptor", "nextCompletionEvent");
        put(Verbs.KIND_CQ, "requestNotification", "poll");
        put(Verbs.KIND_QP, "postSend", "postReceives", "setError", "inlineLimit");
        put(ANY_KIND, "forget", "pointer");
    }

    private static VerbsHandles handles;
    private static ByteBuffer memory;

    private static void put(int kind, String... methods) {
        for (String each : methods) {
            KINDS.put(each, kind);
        }
    }

    @BeforeAll
    static void load() throws IOException {
        VerbsHandles.assumeUsable();
        handles = new VerbsHandles();
        memory = Verbs.allocate(4096);
    }

    @AfterAll
    static void giveBack() throws IOException {
        if (handles != null) {
            handles.close();
            Verbs.free(memory);
        }
    }

    static Stream<Method> methodsWithAHandle() {
        return natives().filter(method -> KINDS.containsKey(method.getName()));
    }

    private static Stream<Method> natives() {
        return Arrays.stream(Verbs.class.getDeclaredMethods())
                .filter(method -> Modifier.isNative(method.getModifiers()));
    }

    /** Arguments that are right but for the handle. */
    private static Object[] arguments(Method method, long handle) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] == long.class) {
                arguments[i] = Verbs.address(memory);
            } else if (types[i] == int.class) {
                arguments[i] = 1;
            } else if (types[i] == boolean.class) {
                arguments[i] = false;
            } else if (types[i] == byte[].class) {
                arguments[i] = new byte[] {127, 0, 0, 1};
            } else if (types[i] == ByteBuffer.class) {
                arguments[i] = memory;
            } else {
                throw new AssertionError(method);
            }
        }
        arguments[0] = handle;
        return arguments;
    }

    private static void isRefused(Method method, long handle, String what) throws IllegalAccessException {
        try {
            method.invoke(null, arguments(method, handle));
        } catch (InvocationTargetException e) {
            assertTrue(e.getCause() instanceof VerbsException, what + ": " + e.getCause());
            assertEquals(VerbsException.EBADF, ((VerbsException) e.getCause()).errno(), what);
            return;
        }
        throw new AssertionError(what + " was taken: " + Long.toHexString(handle));
    }

    @Test
    void everyNativeMethodIsInOneOfTheTestsHere() {
        List<String> others = List.of(
                "version",
                "open",
                "deviceNames",
                "openDevice",
                "createEventChannel",
                "adopt",
                "allocate",
                "free",
                "address",
                "createEvent",
                "signalEvent",
                "clearEvent",
                "closeEvent",
                "waitFor");
        List<String> all = new ArrayList<>(KINDS.keySet());
        all.addAll(others);
        assertEquals(
                all.stream().sorted().toList(),
                natives().map(Method::getName).sorted().toList());
    }

    @ParameterizedTest
    @MethodSource("methodsWithAHandle")
    void handlesThatNeverWereAreRefused(Method method) throws IllegalAccessException {
        for (long each : new long[] {0, 1, -1, 1L << 18, 7L << 18, Long.MAX_VALUE, Long.MIN_VALUE}) {
            isRefused(method, each, "a number");
        }
        long seed = Long.getLong("exs.test.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < RANDOM_HANDLES; i++) {
            isRefused(method, random.nextLong(), "a random number, seed " + seed);
        }
    }

    @ParameterizedTest
    @MethodSource("methodsWithAHandle")
    void closedHandlesAreRefused(Method method) throws IllegalAccessException {
        isRefused(method, handles.closed(), "a closed handle");
    }

    @ParameterizedTest
    @MethodSource("methodsWithAHandle")
    void handlesOfAnotherKindAreRefused(Method method) throws IllegalAccessException {
        int kind = KINDS.get(method.getName());
        if (kind == ANY_KIND) {
            return;
        }
        for (Map.Entry<Integer, Long> each : handles.others(kind).entrySet()) {
            isRefused(method, each.getValue(), "a handle of kind " + each.getKey());
        }
    }

    @ParameterizedTest
    @MethodSource("methodsWithAHandle")
    void handlesThatDifferInOneBitAreRefused(Method method) throws IllegalAccessException {
        int kind = KINDS.get(method.getName());
        if (kind <= Verbs.KIND_CONTEXT) {
            return;
        }
        for (int bit = 0; bit < Long.SIZE; bit++) {
            isRefused(method, handles.of(kind) ^ 1L << bit, "bit " + bit);
        }
    }

    @Test
    void whatWasAdoptedIsNotDestroyed() {
        int permission = 1;
        assertEquals(permission, errno(() -> Verbs.destroyId(handles.of(Verbs.KIND_ID))));
        assertEquals(permission, errno(() -> Verbs.destroyEventChannel(handles.of(Verbs.KIND_EVENT_CHANNEL))));
    }

    @Test
    void anIdWithoutADeviceIsRefusedWhereOneIsNeeded() throws VerbsException {
        long id = handles.of(Verbs.KIND_ID);
        assertEquals(0, Verbs.context(id));
        assertEquals(0, Verbs.devicePort(id));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.resolveRoute(id, 1)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.connect(id, null, 7, 7)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.accept(id, null, 7)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.disconnect(id)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.sourceAddress(id)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.destinationAddress(id)));
    }

    @Test
    void addressesAreChecked() {
        long id = handles.of(Verbs.KIND_ID);
        byte[] good = {127, 0, 0, 1};
        for (byte[] each : new byte[][] {null, {}, {1, 2, 3}, new byte[5], new byte[15], new byte[17]}) {
            assertEquals(VerbsException.EINVAL, errno(() -> Verbs.bind(id, each, 0, 1)));
            assertEquals(VerbsException.EINVAL, errno(() -> Verbs.resolveAddress(id, null, 0, each, 0, 1, 1)));
            if (each != null) {
                assertEquals(VerbsException.EINVAL, errno(() -> Verbs.resolveAddress(id, each, 0, good, 0, 1, 1)));
            }
        }
        for (int port : new int[] {-1, 65536, Integer.MIN_VALUE}) {
            assertEquals(VerbsException.EINVAL, errno(() -> Verbs.bind(id, good, 0, port)));
        }
    }

    @Test
    void privateDataHasALimit() {
        long id = handles.of(Verbs.KIND_ID);
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.connect(id, new byte[57], 7, 7)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.accept(id, new byte[197], 7)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.reject(id, new byte[149])));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.reject(id, new byte[100_000])));
    }

    @Test
    void eventsNeedABufferThatHoldsThem() {
        long channel = handles.of(Verbs.KIND_EVENT_CHANNEL);
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.nextCmEvent(channel, null)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.nextCmEvent(channel, ByteBuffer.allocate(288))));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.nextCmEvent(channel, ByteBuffer.allocateDirect(287))));
    }

    @Test
    void theDataPathChecksItsArguments() throws VerbsException {
        long cq = handles.of(Verbs.KIND_CQ);
        long qp = handles.of(Verbs.KIND_QP);
        long address = Verbs.address(memory);
        assertEquals(0, Verbs.poll(cq, address, 0));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.poll(cq, address, -1)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.poll(cq, 0, 1)));
        assertEquals(VerbsException.EINVAL, Verbs.postSend(qp, -1, 0, 0, address, 1, 0, 0, 0, 0));
        assertEquals(VerbsException.EINVAL, Verbs.postSend(qp, 5, 0, 0, address, 1, 0, 0, 0, 0));
        assertEquals(VerbsException.EINVAL, Verbs.postSend(qp, 2, 16, 0, address, 1, 0, 0, 0, 0));
        assertEquals(VerbsException.EINVAL, Verbs.postSend(qp, 2, 0, 0, address, -1, 0, 0, 0, 0));
        assertEquals(VerbsException.EINVAL, Verbs.postSend(qp, 2, Verbs.FLAG_INLINE, 0, 0, 1, 0, 0, 0, 0));
        assertEquals(0, Verbs.postReceives(qp, 0, address, 1, 0, 0));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.postReceives(qp, 0, address, -1, 0, 1)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.postReceives(qp, 0, address, 1, 0, -1)));
    }

    @Test
    void devicesAreAskedForByName() throws VerbsException {
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.openDevice(null)));
        assertEquals(VerbsException.ENODEV, errno(() -> Verbs.openDevice("")));
        assertEquals(VerbsException.ENODEV, errno(() -> Verbs.openDevice("no such device \u20ac")));
        for (String each : Verbs.deviceNames()) {
            long context = Verbs.openDevice(each);
            assertEquals(each, Verbs.deviceName(context));
            Verbs.closeDevice(context);
            assertEquals(VerbsException.EBADF, errno(() -> Verbs.closeDevice(context)));
        }
    }

    @Test
    void eventChannelsWorkOrSayWhyNot() throws VerbsException {
        long channel;
        try {
            channel = Verbs.createEventChannel();
        } catch (VerbsException e) {
            assertTrue(e.getMessage().startsWith("rdma_create_event_channel: "), e.getMessage());
            assertTrue(e.errno() != 0, e.getMessage());
            return;
        }
        Verbs.destroyEventChannel(channel);
        assertEquals(VerbsException.EBADF, errno(() -> Verbs.destroyEventChannel(channel)));
    }

    @Test
    void adoptionChecksWhatItCan() throws VerbsException {
        long pointer = handles.pointer(Verbs.KIND_PD);
        for (int kind : new int[] {-1, 0, 9, 16, Integer.MAX_VALUE}) {
            assertEquals(VerbsException.EINVAL, errno(() -> Verbs.adopt(kind, pointer)));
        }
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.adopt(Verbs.KIND_PD, 0)));
        long handle = Verbs.adopt(Verbs.KIND_PD, pointer);
        assertEquals(pointer, Verbs.pointer(handle));
        Verbs.forget(handle);
        assertEquals(VerbsException.EBADF, errno(() -> Verbs.forget(handle)));
    }

    @Test
    void placesAreUsedAgainAndHandlesAreNot() throws VerbsException {
        long pointer = handles.pointer(Verbs.KIND_MR);
        long last = 0;
        for (int i = 0; i < 1_000_000; i++) {
            long handle = Verbs.adopt(Verbs.KIND_MR, pointer);
            Verbs.forget(handle);
            assertTrue(handle > last);
            last = handle;
        }
    }

    @Test
    void aFullTableIsToldAndRecovers() throws VerbsException {
        int tooManyFiles = 23;
        long pointer = handles.pointer(Verbs.KIND_MR);
        List<Long> taken = new ArrayList<>();
        int error = 0;
        while (error == 0 && taken.size() <= 1 << 18) {
            try {
                taken.add(Verbs.adopt(Verbs.KIND_MR, pointer));
            } catch (VerbsException e) {
                error = e.errno();
            }
        }
        for (long each : taken) {
            Verbs.forget(each);
        }
        assertEquals(tooManyFiles, error);
        Verbs.forget(Verbs.adopt(Verbs.KIND_MR, pointer));
    }
}
