package org.exsockets.verbs.disni.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import java.io.IOException;
import org.exsockets.jdk.DirectBufferOwner;
import org.exsockets.memory.DirectMemory;
import org.exsockets.observe.Log;
import org.exsockets.verbs.disni.DeviceAttributes;
import org.exsockets.verbs.disni.DisniObjects;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.memory.AdapterRegistrar;
import org.exsockets.verbs.disni.memory.GrowthBudget;
import org.exsockets.verbs.disni.memory.MemorySource;
import org.exsockets.verbs.disni.memory.RegistrationBudget;
import org.exsockets.verbs.disni.memory.RegistrationCache;

/**
 * An RDMA adapter in use: its protection domain, the completion channel of all its CQs, and the memory of connections.
 * Thread-safe; destroyed by the last user once the adapter has been removed.
 */
public final class Adapter {
    final DisniObjects objects;
    private final long contextHandle;
    private final String name;
    private final IbvContext context;
    private final IbvPd domain;
    private final IbvCompChannel channel;
    private final long channelHandle;
    private final int completionDescriptor;
    private final int asyncDescriptor;
    private final boolean reportsLate;
    final MemorySource memory;
    final GrowthBudget growth;
    private final RegistrationCache registrations;
    final QueueLimits limits;

    /** Connections that use this adapter, and one for the device until the adapter has been removed. */
    @GuardedBy("this")
    private int users = 1;

    @GuardedBy("this")
    private boolean gone;

    /**
     * @param budget of all adapters together
     * @param growth of all adapters together
     */
    public Adapter(
            DisniObjects objects,
            long contextHandle,
            DeviceAttributes about,
            RegistrationBudget budget,
            GrowthBudget growth)
            throws IOException {
        this.objects = objects;
        this.growth = growth;
        this.contextHandle = contextHandle;
        this.name = about.name();
        this.limits = new QueueLimits(AdapterNeeds.deepest(about));
        this.context = objects.context(contextHandle);
        this.reportsLate = about.isSoftRoce();
        this.asyncDescriptor = Verbs.asyncDescriptor(contextHandle);
        this.domain = context.allocPd();
        IbvCompChannel made;
        try {
            made = context.createCompChannel();
        } catch (IOException e) {
            deallocate(domain);
            throw e;
        }
        this.channel = made;
        this.channelHandle = objects.handle(channel, Verbs.KIND_COMPLETION_CHANNEL);
        this.completionDescriptor = Verbs.completionDescriptor(channelHandle);
        this.registrations = new RegistrationCache(
                new AdapterRegistrar(domain), budget, DirectBufferOwner::isAllocated, System::nanoTime);
        this.memory = new MemorySource(domain, registrations::dropUnused);
        if (budget.maxBytes() == 0 || !DirectMemory.listen(registrations)) {
            // Registration is off, or the JVM does not report what it frees: nothing is registered.
            registrations.close();
        }
    }

    private static void deallocate(IbvPd domain) {
        try {
            domain.deallocPd();
        } catch (Exception e) {
            Log.debug("deallocate protection domain: " + e.getMessage());
        }
    }

    public long context() {
        return contextHandle;
    }

    /** {@return its name, such as "mlx5_0"} */
    public String name() {
        return name;
    }

    public RegistrationCache registrations() {
        return registrations;
    }

    /** {@return what becomes readable when {@link #nextCompletionEvent} has one} */
    public int completionDescriptor() {
        return completionDescriptor;
    }

    /** {@return what becomes readable when {@link Verbs#nextAsyncEvent} has one} */
    public int asyncDescriptor() {
        return asyncDescriptor;
    }

    /**
     * {@return whether an event of a CQ may come after the queue pair is gone} soft-RoCE of Linux before 6.4 reports a
     * completion in a tasklet that does not keep the CQ: an event of a CQ that has been destroyed would end the JVM in
     * ibv_get_cq_event(3). Whether a kernel has the fix its number does not tell for certain.
     */
    public boolean reportsLate() {
        return reportsLate;
    }

    /** {@return the CQ of one completion event; 0 if there is none} */
    public long nextCompletionEvent() throws VerbsException {
        return Verbs.nextCompletionEvent(channelHandle);
    }

    IbvCQ createCompletionQueue(int entries) throws IOException {
        return context.createCQ(channel, entries, 0);
    }

    /** {@return the handle of a new queue pair of {@code id}} */
    long createQueuePair(NatCmaIdPrivate id, IbvCQ completions, int sends, int receives, int inlineBytes)
            throws IOException {
        IbvQP made = DisniObjects.createQueuePair(id, domain, completions, sends, receives, inlineBytes);
        return objects.handle(made, Verbs.KIND_QP);
    }

    /** The adapter has been removed or has failed: {@link #enter} fails from now on. {@return true the first time} */
    public boolean remove() {
        synchronized (this) {
            if (gone) {
                return false;
            }
            gone = true;
        }
        leave();
        return true;
    }

    public synchronized boolean isGone() {
        return gone;
    }

    /** Counts a connection in. {@return false after {@link #remove}} */
    public synchronized boolean enter() {
        if (gone) {
            return false;
        }
        users++;
        return true;
    }

    /** Counts a user out; the last one destroys the adapter. */
    void leave() {
        synchronized (this) {
            if (--users > 0) {
                return;
            }
        }
        DirectMemory.ignore(registrations);
        registrations.close();
        try {
            objects.forget(channelHandle);
            channel.destroyCompChannel();
        } catch (IOException e) {
            Log.debug("destroy completion channel: " + e.getMessage());
        }
        deallocate(domain);
    }
}
