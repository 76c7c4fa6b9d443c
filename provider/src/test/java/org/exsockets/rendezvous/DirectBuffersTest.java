package org.exsockets.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.exsockets.config.Settings;
import org.exsockets.config.SettingsReader;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.ProgramAllocator;
import org.junit.jupiter.api.Test;

class DirectBuffersTest {
    private static final int MIN = 1 << 16;

    private final FakeAllocator allocator = new FakeAllocator();

    @Test
    void buffersFromASizeOnArePlacedAndFreedWhereTheyAre() {
        DirectBuffers buffers = new DirectBuffers(devices(allocator), true, MIN);
        assertTrue(buffers.enabled());
        assertEquals(0, buffers.allocate(MIN - 1));
        long address = buffers.allocate(MIN);
        assertEquals(Set.of(address), allocator.live);
        assertFalse(buffers.free(address + 1));
        assertTrue(buffers.free(address));
        assertEquals(Set.of(), allocator.live);
    }

    @Test
    void whereThereIsNoMemoryTheJvmAllocatesAndTheNextOneIsTriedAgain() {
        DirectBuffers buffers = new DirectBuffers(devices(allocator), true, MIN);
        allocator.full = true;
        assertEquals(0, buffers.allocate(MIN));
        assertEquals(0, buffers.allocate(MIN));
        allocator.full = false;
        assertTrue(buffers.allocate(MIN) != 0);
    }

    @Test
    void withoutADeviceNothingIsPlaced() {
        DirectBuffers buffers = new DirectBuffers(
                new Devices(Rendezvous.options(SettingsReader.defaults()), () -> {}) {
                    @Override
                    Device named(String name) {
                        return null;
                    }

                    @Override
                    String obstacle(String name) {
                        return "none here";
                    }
                },
                true,
                MIN);
        assertEquals(0, buffers.allocate(MIN));
        assertFalse(buffers.enabled());
        assertFalse(buffers.free(MIN));
    }

    @Test
    void aDeviceThatNeedsNoSuchMemoryIsLeftAlone() {
        DirectBuffers buffers = new DirectBuffers(devices(null), true, MIN);
        assertEquals(0, buffers.allocate(MIN));
        assertFalse(buffers.enabled());
    }

    @Test
    void buffersThatOpeningTheDeviceTakesAreTheJvms() {
        long[] within = {-1};
        DirectBuffers[] buffers = new DirectBuffers[1];
        Devices devices = new Devices(Rendezvous.options(SettingsReader.defaults()), () -> {}) {
            @Override
            Device named(String name) {
                within[0] = buffers[0].allocate(MIN);
                return device(allocator);
            }
        };
        buffers[0] = new DirectBuffers(devices, true, MIN);
        assertTrue(buffers[0].allocate(MIN) != 0);
        assertEquals(0, within[0]);
    }

    @Test
    void nothingIsPlacedUnlessAskedForAndAllowed() {
        assertFalse(new DirectBuffers(devices(allocator), true, 0).enabled());
        assertFalse(new DirectBuffers(devices(allocator), false, MIN).enabled());
        assertEquals(0, new DirectBuffers(devices(allocator), false, MIN).allocate(MIN));
        Settings disni =
                SettingsReader.read(Map.of("device", "disni", "direct.buffers", "64k"), new Properties(), Map.of());
        assertFalse(new Rendezvous(disni, devices(allocator), () -> 0, face -> {}, () -> {})
                .directBuffers()
                .enabled());
    }

    @Test
    void nothingIsPlacedWhenTheJvmEnds() {
        DirectBuffers buffers = new DirectBuffers(devices(allocator), true, MIN);
        long address = buffers.allocate(MIN);
        buffers.shutDown();
        assertEquals(0, buffers.allocate(MIN));
        assertTrue(buffers.free(address));
    }

    private static Devices devices(ProgramAllocator allocator) {
        return new Devices(Rendezvous.options(SettingsReader.defaults()), () -> {}) {
            @Override
            Device named(String name) {
                return device(allocator);
            }
        };
    }

    private static Device device(ProgramAllocator allocator) {
        return new ScriptedDevice("soft") {
            @Override
            public ProgramAllocator programAllocator() {
                return allocator;
            }
        };
    }

    private static final class FakeAllocator implements ProgramAllocator {
        private final Set<Long> live = new HashSet<>();
        private boolean full;

        @Override
        public long allocateAddress(long lengthBytes) throws IOException {
            if (full) {
                throw new IOException("full");
            }
            live.add(lengthBytes << 10);
            return lengthBytes << 10;
        }

        @Override
        public boolean freeAddress(long address) {
            return live.remove(address);
        }

        @Override
        public ByteBuffer allocate(int lengthBytes) {
            throw new AssertionError();
        }

        @Override
        public void free(ByteBuffer buffer) {
            throw new AssertionError();
        }
    }
}
