package org.exsockets.verbs.disni.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.config.SettingsReader;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.VerbsHandles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistrationCacheTest {
    private static final int PAGE = RegistrationBudget.PAGE_BYTES;
    private static final int KIB_64 = 64 << 10;

    @TempDir
    private Path directory;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(KIB_64);
    private final AtomicLong clockNs = new AtomicLong();
    private final FakeRegistrar adapter = new FakeRegistrar();
    private long refusedBefore;
    private RegistrationBudget budget;
    private RegistrationCache cache;
    private InetAddress host;
    private InetAddress otherHost;

    @BeforeAll
    static void load() throws IOException {
        VerbsHandles.assumeUsable();
    }

    @BeforeEach
    void make() throws IOException {
        Log.configure(
                SettingsReader.read(Map.of("log", "warn:" + directory.resolve("log")), new Properties(), Map.of()));
        host = InetAddress.getByAddress(new byte[] {10, 9, 0, 1});
        otherHost = InetAddress.getByAddress(new byte[] {10, 9, 0, 2});
        bound(1 << 30);
        refusedBefore = refused();
    }

    @AfterEach
    void restoreLog() {
        Log.configure(SettingsReader.defaults());
    }

    private void bound(long bytes) {
        budget = new RegistrationBudget(bytes, clockNs::get);
        cache = new RegistrationCache(adapter, budget, memory -> true, clockNs::incrementAndGet);
    }

    /** {@return a registration of the whole buffer, taken at its second use} */
    private Registration taken(ByteBuffer memory) {
        assertNull(take(memory));
        Registration registration = take(memory);
        assertNotNull(registration);
        return registration;
    }

    private Registration take(ByteBuffer memory) {
        return cache.take(memory, 0, memory.capacity(), host);
    }

    private void nothingIsRegistered() {
        assertEquals(List.of(), adapter.live());
        assertEquals(0, budget.registeredBytes());
    }

    private long refusals() {
        return refused() - refusedBefore;
    }

    /** {@return what the statistics say, of all tests} */
    private static long refused() {
        Matcher told = Pattern.compile("\"registrations\":.*?\"refused\":(\\d+)")
                .matcher(Statistics.jvm().toJson());
        return told.find() ? Long.parseLong(told.group(1)) : 0;
    }

    private boolean isLive(Registration registration) {
        return adapter.live().contains(registration.region);
    }

    private static ByteBuffer pages(int count) {
        ByteBuffer memory = ByteBuffer.allocateDirect((count + 1) * PAGE);
        return memory.slice((int) (-Verbs.address(memory) & PAGE - 1), count * PAGE);
    }

    private int slot(ByteBuffer memory) {
        return FirstUses.slot(FirstUses.use(Verbs.address(memory), host.hashCode()));
    }

    /** {@return buffers of a page, of each of which the first use is remembered beside those of the others} */
    private ByteBuffer[] pagesApart(int count) {
        Map<Integer, ByteBuffer> bySlot = new LinkedHashMap<>();
        while (bySlot.size() < count) {
            ByteBuffer made = pages(1);
            bySlot.putIfAbsent(slot(made), made);
        }
        return bySlot.values().toArray(new ByteBuffer[0]);
    }

    private void free(ByteBuffer memory) {
        cache.onFree(Verbs.address(memory), memory.capacity());
    }

    @Test
    void memoryIsRegisteredAtItsSecondUse() {
        assertNull(take(memory));
        assertEquals(0, adapter.made());
        Registration registration = take(memory);
        assertEquals(1, adapter.made());
        assertEquals(Verbs.address(memory), adapter.live().get(0).address);
        assertEquals(KIB_64, adapter.live().get(0).length);
        assertEquals(-registration.localKey(), registration.rkey());
        registration.release();
        assertSame(registration, take(memory));
        assertEquals(1, adapter.made());
    }

    @Test
    void partsAndViewsAreFoundInTheRegistrationOfTheWhole() {
        Registration whole = taken(memory);
        ByteBuffer slice = memory.slice(1000, 5000);
        assertSame(whole, cache.take(slice, 17, 100, host));
        assertSame(whole, cache.take(memory.duplicate().position(9), KIB_64 - 1, 1, host));
        assertSame(whole, cache.take(memory.asReadOnlyBuffer(), 0, KIB_64, null));
        assertEquals(Verbs.address(memory) + 1017, whole.remoteAddress(slice, 17));
        assertEquals(100, whole.advertisable(slice, 17, 100));
        assertEquals(1, adapter.made());
    }

    @Test
    void ofMemoryThatReachesBeyondOnlyTheCoveredPartIsAdvertised() {
        Registration part = taken(memory.slice(0, 1000));
        assertEquals(100, part.advertisable(memory, 900, 200));
        assertEquals(0, part.advertisable(memory, 1000, 200));
        assertEquals(0, part.advertisable(ByteBuffer.allocateDirect(10), 0, 10));
    }

    @Test
    void heapMemoryAndMemoryWhoseEndIsNotToldAreNeverRegistered() {
        cache = new RegistrationCache(adapter, budget, memory -> false, clockNs::get);
        for (int i = 0; i < 5; i++) {
            assertNull(take(memory));
            assertNull(take(ByteBuffer.allocate(KIB_64)));
        }
        assertEquals(0, adapter.made());
    }

    @Test
    void whatAnotherThreadIsAboutToTakeOutIsNotFoundWhenTheMemoryIsFreed() {
        Registration registration = taken(memory);
        registration.release();
        // As a thread that makes room does, before it takes it out of the table.
        assertTrue(registration.tryDrop());
        free(memory);
        long address = Verbs.address(memory);
        assertFalse(cache.swept().touches(address, address + KIB_64));
    }

    @Test
    void longBuffersAreRegisteredByWindows() {
        int chunk = RegistrationCache.CHUNK_BYTES;
        ByteBuffer memory = ByteBuffer.allocateDirect(5 * chunk);
        Registration first = taken(memory);
        assertEquals(2 * chunk, first.end - first.start);
        assertSame(first, cache.take(memory, chunk, chunk, host));
        // Crosses the end of the first one.
        assertNull(cache.take(memory, chunk + 1, chunk, host));
        Registration second = cache.take(memory, chunk + 1, chunk, host);
        assertEquals(Verbs.address(memory) + chunk, second.start);
        assertEquals(chunk, second.advertisable(memory, chunk + 1, chunk));
        assertNull(cache.take(memory, 4 * chunk, 10, host));
        assertEquals(memory.capacity(), cache.take(memory, 4 * chunk, 10, host).end - Verbs.address(memory));
    }

    @Test
    void theLeastRecentlyUsedMakesRoom() {
        bound(3 * PAGE);
        ByteBuffer[] buffers = pagesApart(4);
        for (int i = 0; i < 3; i++) {
            taken(buffers[i]).release();
        }
        take(buffers[0]).release();
        taken(buffers[3]).release();
        assertEquals(3, adapter.live().size());
        assertEquals(3 * PAGE, budget.registeredBytes());
        take(buffers[0]).release();
        take(buffers[2]).release();
        take(buffers[3]).release();
        assertEquals(4, adapter.made());
        // It was used once, and then made room: the next use is not its first.
        take(buffers[1]).release();
        assertEquals(5, adapter.made());
    }

    @Test
    void whatTheProgramHasBroughtForItIsRegisteredAtOnceAndAsAWhole() {
        int length = 3 * RegistrationCache.CHUNK_BYTES;
        ByteBuffer memory = ByteBuffer.allocateDirect(length + 2 * PAGE);
        Registration registration = cache.takeAll(memory, PAGE, length, host);
        assertNotNull(registration);
        assertEquals(length, registration.advertisable(memory, PAGE, length));
        registration.release();
        assertSame(registration, cache.takeAll(memory, 2 * PAGE, length - PAGE, host));
        registration.release();
        ByteBuffer small = ByteBuffer.allocateDirect(KIB_64);
        Registration whole = cache.takeAll(small, 100, 1000, host);
        assertEquals(KIB_64, whole.advertisable(small, 0, KIB_64));
        whole.release();
        assertNull(cache.takeAll(ByteBuffer.allocate(10), 0, 10, host), "memory of the heap");
    }

    @Test
    void memoryThatTheDeviceRefusesIsNotTriedAgain() {
        adapter.refusals.add(new IOException("EFAULT"));
        assertNull(cache.takeAll(memory, 0, KIB_64, host));
        assertNull(cache.takeAll(memory, 0, KIB_64, host));
        assertEquals(0, adapter.made());
    }

    @Test
    void whatIsLongerThanTheBoundIsToldOnce() throws IOException {
        bound(2 * PAGE);
        ByteBuffer memory = pages(3);
        for (int i = 0; i < 3; i++) {
            assertNull(cache.takeAll(memory, 0, 3 * PAGE, host));
        }
        assertEquals(3, refusals());
        assertEquals(1, log().lines().count(), log());
        assertTrue(log().contains("exs.register"), log());
    }

    @Test
    void whatIsInUseNeverMakesRoom() {
        bound(2 * PAGE);
        ByteBuffer first = pages(1);
        ByteBuffer second = pages(1);
        ByteBuffer third = pages(1);
        Registration firstTaken = taken(first);
        Registration secondTaken = taken(second);
        assertNull(take(third));
        assertNull(take(third));
        assertEquals(1, refusals());
        assertEquals(2, adapter.live().size());
        assertSame(secondTaken, take(second));
        secondTaken.release();
        assertNull(take(third));
        secondTaken.release();
        assertNotNull(take(third));
        assertSame(firstTaken, take(first));
    }

    @Test
    void whereTheWholeDoesNotFitThePartThatIsAskedForIsRegistered() {
        bound(4 * PAGE);
        ByteBuffer memory = pages(10);
        assertNull(cache.take(memory, 3 * PAGE, PAGE, host));
        Registration part = cache.take(memory, 3 * PAGE, PAGE, host);
        assertEquals(PAGE, part.end - part.start);
        assertEquals(PAGE, budget.registeredBytes());
    }

    @Test
    void freedMemoryIsDeregisteredFirstAndItsAddressIsNewAgain() {
        Registration other =
                taken(ByteBuffer.allocateDirect(KIB_64)); // First: its use may have that of memory forgotten.
        ByteBuffer slice = memory.slice(5 * PAGE, 2 * PAGE);
        taken(slice).release();
        taken(memory).release();
        assertEquals(3, adapter.live().size());
        free(memory);
        assertEquals(1, adapter.live().size());
        assertSame(other.region, adapter.live().get(0));
        assertEquals(1, cache.swept().size());
        Registration again = take(memory);
        assertNotNull(again);
        assertEquals(4, adapter.made());
        assertTrue(isLive(again));
    }

    /** In the JVM's thread for references, which does not survive an OutOfMemoryError. */
    @Test
    void freeingNeedsNoMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < 2; round++) {
            ByteBuffer[] buffers = new ByteBuffer[20];
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = pages(1);
                taken(buffers[i]).release();
            }
            threads.getCurrentThreadAllocatedBytes();
            long before = threads.getCurrentThreadAllocatedBytes();
            for (ByteBuffer each : buffers) {
                cache.onFree(Verbs.address(each), PAGE);
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(round == 0 || allocated == 0, "bytes: " + allocated);
            assertEquals(0, adapter.live().size());
        }
    }

    @Test
    void memoryBesideFreedMemoryStaysRegistered() {
        ByteBuffer memory = pages(3);
        Registration middle = taken(memory.slice(PAGE, PAGE));
        middle.release();
        cache.onFree(Verbs.address(memory), PAGE);
        cache.onFree(Verbs.address(memory) + 2 * PAGE, PAGE);
        cache.onFree(0, PAGE);
        assertEquals(1, adapter.live().size());
        cache.onFree(Verbs.address(memory) + 2 * PAGE - 1, 1);
        nothingIsRegistered();
    }

    @Test
    void memoryThatIsFreedWhileItIsUsedIsDeregisteredAllTheSame() throws IOException {
        Registration registration = taken(memory);
        free(memory);
        assertEquals(0, adapter.live().size());
        assertTrue(log().contains("freed while a transfer was using it"), log());
        registration.release();
        assertFalse(registration.tryTake(0));
        assertEquals(0, budget.registeredBytes());
    }

    /** Other pages are under the second one of the memory's. */
    private void exchange(ByteBuffer memory) {
        cache.onExchange(Verbs.address(memory) + PAGE, PAGE);
    }

    @Test
    void memoryInOtherPagesIsRegisteredAnew() {
        ByteBuffer memory = pages(4);
        Registration before = taken(memory);
        before.release();
        exchange(memory);
        nothingIsRegistered();
        Registration after = take(memory);
        assertNotNull(after);
        assertTrue(isLive(after));
    }

    @Test
    void memoryBesideExchangedPagesStaysRegistered() {
        ByteBuffer memory = pages(4);
        taken(memory.slice(0, PAGE)).release();
        exchange(memory);
        assertEquals(1, adapter.live().size());
    }

    @Test
    void whoUsesOtherBytesOfExchangedMemoryGoesOnAndNobodyElseBegins() {
        ByteBuffer memory = pages(4);
        Registration before = taken(memory);
        exchange(memory);
        assertTrue(isLive(before));
        Registration after = take(memory);
        assertNotSame(before, after);
        before.release();
        taken(pages(1));
        assertFalse(isLive(before));
        assertTrue(isLive(after));
        assertEquals(5 * PAGE, budget.registeredBytes());
    }

    @Test
    void whatIsHeldForLongIsDeregisteredWhenPagesAreExchanged() {
        ByteBuffer memory = pages(4);
        Registration held = cache.takeAll(memory, 0, memory.capacity(), host);
        exchange(memory);
        assertEquals(0, adapter.live().size());
        held.release();
        assertEquals(0, budget.registeredBytes());
    }

    @Test
    void whatIsRegisteredWhilePagesAreExchangedIsNotUsed() {
        ByteBuffer memory = pages(4);
        assertNull(take(memory));
        adapter.meanwhile = () -> exchange(memory);
        assertNull(take(memory));
        nothingIsRegistered();
        assertNotNull(take(memory));
    }

    @Test
    void aClosedCacheKeepsNothingRetired() {
        ByteBuffer memory = pages(4);
        Registration before = taken(memory);
        exchange(memory);
        before.release();
        cache.close();
        assertEquals(0, adapter.live().size());
    }

    @Test
    void aRegistrationIsNotReleasedMoreOftenThanTaken() {
        Registration registration = taken(ByteBuffer.allocateDirect(KIB_64));
        registration.release();
        assertThrows(IllegalStateException.class, registration::release);
        cache.dropUnused();
        assertThrows(IllegalStateException.class, registration::release);
        assertEquals(0, adapter.live().size());
    }

    @Test
    void whereTheKernelRefusesUnusedRegistrationsMakeRoom() throws IOException {
        taken(ByteBuffer.allocateDirect(KIB_64)).release();
        taken(ByteBuffer.allocateDirect(KIB_64)).release();
        Registration used = taken(ByteBuffer.allocateDirect(KIB_64));
        adapter.refusals.add(FakeRegistrar.lockedMemory());
        Registration made = taken(ByteBuffer.allocateDirect(KIB_64));
        assertEquals(3, adapter.live().size());
        assertTrue(isLive(used));
        assertTrue(isLive(made));
        assertEquals("", log());
        assertEquals(0, refusals());
    }

    @Test
    void whereTheKernelRefusesAndNothingMakesRoomItIsToldOnceAndNotTriedAgainForAWhile() throws IOException {
        assertNull(take(memory));
        adapter.refusals.add(FakeRegistrar.lockedMemory());
        assertNull(take(memory));
        assertNull(take(memory));
        assertEquals(0, adapter.made());
        assertEquals(1, refusals());
        assertEquals(0, budget.registeredBytes());
        assertTrue(log().contains("ulimit -l"), log());

        clockNs.addAndGet(2_000_000_000L);
        adapter.refusals.add(FakeRegistrar.lockedMemory());
        assertNull(take(memory));
        assertEquals(2, refusals());
        assertEquals(log().indexOf("ulimit"), log().lastIndexOf("ulimit"));

        clockNs.addAndGet(2_000_000_000L);
        assertNotNull(take(memory));
    }

    @Test
    void memoryThatTheDeviceDoesNotTakeIsNotOfferedAgain() {
        assertNull(take(memory));
        adapter.refusals.add(new VerbsException("ibv_reg_mr", 14, "Bad address"));
        for (int i = 0; i < 5; i++) {
            assertNull(take(memory));
        }
        assertEquals(0, adapter.made());
        assertEquals(0, budget.registeredBytes());
        assertNotNull(taken(ByteBuffer.allocateDirect(KIB_64)));
    }

    @Test
    void aKeyIsToldToPeersOfOneHostOnly() {
        Registration mine = taken(memory);
        assertNull(cache.take(memory, 0, 10, otherHost));
        mine.release();
        // Not in use any more: the old key goes, and the second use by the other host gets a new one.
        assertNull(cache.take(memory, 0, 10, otherHost));
        assertEquals(0, adapter.live().size());
        Registration others = cache.take(memory, 0, 10, otherHost);
        assertNotNull(others);
        assertTrue(others.rkey() != mine.rkey());
    }

    @Test
    void noKeyOfAnotherHostReachesPartOfTheMemory() {
        Registration part = taken(memory.slice(0, 1000));
        assertNull(cache.take(memory, 0, KIB_64, otherHost));
        assertNull(cache.take(memory, 0, KIB_64, otherHost));
        part.release();
        assertNotNull(cache.take(memory, 0, KIB_64, otherHost));
        assertFalse(isLive(part));
    }

    @Test
    void whatOnlySendsIsSharedByAllAndKnownByNobody() {
        assertNull(cache.take(memory, 0, KIB_64, null));
        Registration sending = cache.take(memory, 0, KIB_64, null);
        assertNull(sending.host());
        assertSame(sending, cache.take(memory, 0, KIB_64, host));
        assertEquals(host, sending.host());
        assertSame(sending, cache.take(memory, 0, KIB_64, null));
        assertEquals(1, adapter.made());
    }

    @Test
    void aClosedCacheHoldsAndMakesNothing() {
        Registration taken = taken(memory);
        taken(ByteBuffer.allocateDirect(KIB_64)).release();
        cache.close();
        nothingIsRegistered();
        taken.release();
        assertNull(take(memory));
        assertNull(take(memory));
        free(memory);
    }

    @Test
    void findingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM does not count what threads allocate");
        // Kept: nobody tells the cache when the JVM frees one and gives its address to the next.
        List<ByteBuffer> others = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            others.add(ByteBuffer.allocateDirect(PAGE));
            taken(others.get(i)).release();
        }
        taken(memory).release();
        int times = 10_000;
        hit(memory, times);
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        hit(memory, times);
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertTrue(allocated < times, "allocated " + allocated + " bytes in " + times + " calls");
    }

    private void hit(ByteBuffer memory, int times) {
        for (int i = 0; i < times; i++) {
            cache.take(memory, i, 100, host).release();
        }
    }

    private String log() throws IOException {
        Path file = directory.resolve("log");
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
