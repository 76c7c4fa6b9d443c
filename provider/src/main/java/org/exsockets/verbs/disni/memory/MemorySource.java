package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.exsockets.verbs.disni.VerbsException;

/**
 * Makes the memory of connections. Thread-safe.
 *
 * @param domain of an adapter
 * @param relief frees locked memory that is kept without use, and returns whether there was any
 */
public record MemorySource(IbvPd domain, BooleanSupplier relief) {
    /** Makes something of an adapter. */
    public interface Making<T> {
        T make() throws IOException;
    }

    /** @throws IOException if the limit of locked memory or the device forbids it */
    public ConnectionMemory connection(ConnectionSizes sizes) throws IOException {
        return relieved(() -> new ConnectionMemory(domain, sizes));
    }

    /**
     * {@return what {@code making} makes} If something is lacking, it is tried once more without what is kept unused; a
     * size that the adapter does not take is none the better for that.
     */
    public <T> T relieved(Making<T> making) throws IOException {
        try {
            return making.make();
        } catch (IOException e) {
            // A connection is worth more than the next direct transfer.
            if (VerbsException.isRefusal(e) || !relief.getAsBoolean()) {
                throw e;
            }
            return making.make();
        }
    }

    /** {@return a region to expose beside} Throws as {@link #connection}, but nothing is freed for it. */
    RegionMemory region(int lengthBytes) throws IOException {
        return new RegionMemory(domain, lengthBytes);
    }
}
