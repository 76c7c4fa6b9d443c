package org.exsockets.verbs.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatIbvContext;
import com.ibm.disni.verbs.impl.NatObject;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.lang.reflect.Field;

/**
 * Connects DiSNI's objects with the handles of {@link Verbs}. Resources of a device (protection domains, queues, memory
 * regions) are DiSNI's; the connection manager and the data path are ours, on the same objects.
 *
 * <p>With our own native library DiSNI's object ids are handles. With a foreign one they are addresses, which are
 * adopted. Thread-safe.
 */
public final class DisniObjects {
    private final NativeDispatcher dispatcher;
    private final boolean foreign = NativeLibrary.isForeign();

    /** @throws IOException if another version of DiSNI is there */
    public DisniObjects() throws IOException {
        RdmaProvider provider = RdmaProvider.provider();
        try {
            // DiSNI itself makes contexts and ids only from events of its own event channel.
            Field field = provider.getClass().getDeclaredField("nativeDispatcher");
            field.setAccessible(true);
            dispatcher = (NativeDispatcher) field.get(provider);
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IOException("disni: not the version this was made for: " + provider.getClass(), e);
        }
    }

    /** {@return the handle of an object DiSNI has made} */
    public long handle(Object object, int kind) throws VerbsException {
        long id = ((NatObject) object).getObjId();
        return foreign ? Verbs.adopt(kind, id) : id;
    }

    /** Before the object is destroyed. */
    public void forget(long handle) throws VerbsException {
        if (foreign) {
            Verbs.forget(handle);
        }
    }

    private long objectId(long handle) throws VerbsException {
        return foreign ? Verbs.pointer(handle) : handle;
    }

    /** {@return DiSNI's view of a device's context} */
    public IbvContext context(long handle) throws IOException {
        return new NatIbvContext(objectId(handle), dispatcher);
    }

    /** {@return DiSNI's view of an id, as far as queue pairs need it} */
    public NatCmaIdPrivate id(long handle) throws IOException {
        return new NatCmaIdPrivate(objectId(handle), null, dispatcher);
    }

    public static IbvQP createQueuePair(
            NatCmaIdPrivate id, IbvPd domain, IbvCQ completions, int sends, int receives, int inlineBytes)
            throws IOException {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(completions);
        attributes.setRecv_cq(completions);
        attributes.cap().setMax_send_wr(sends);
        attributes.cap().setMax_recv_wr(receives);
        attributes.cap().setMax_send_sge(1);
        attributes.cap().setMax_recv_sge(1);
        attributes.cap().setMax_inline_data(inlineBytes);
        return id.createQP(domain, attributes);
    }

    /** Registers memory with a protection domain; {@link #deregister} takes it back. */
    public static IbvMr register(IbvPd domain, long address, int length, int access) throws IOException {
        SVCRegMr call = domain.regMr(address, length, access);
        try {
            return call.execute().getMr();
        } finally {
            call.free();
        }
    }

    /** After the return the device does not touch the memory. */
    public static void deregister(IbvMr region) throws IOException {
        SVCDeregMr call = region.deregMr();
        try {
            call.execute();
        } finally {
            call.free();
        }
    }
}
