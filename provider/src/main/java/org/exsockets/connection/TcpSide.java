package org.exsockets.connection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.SocketOption;
import org.exsockets.rendezvous.InheritedOptions;
import org.jspecify.annotations.Nullable;

/**
 * The TCP socket or channel behind one that may travel over EXS. It connects if EXS does not. It holds the options, and
 * the local port if the program or an adapter needs one before the connection is made.
 *
 * <p>There is none until the program asks for what only TCP can do. Then it is made with the options that were kept for
 * it or inherited from the listener. Most connections over shared memory never have one. Any thread.
 */
public abstract class TcpSide<T> {
    /**
     * Making it, keeping options for it, and closing exclude each other. Held while it is made, never for the network.
     */
    protected final Object lock = new Object();

    /** Null as long as there is none. Changes under {@link #lock}, and never back. */
    private volatile @Nullable T tcp;

    /** The options of one that is made late. */
    @GuardedBy("lock")
    private InheritedOptions inherited = InheritedOptions.NONE;

    /** Of the connection over EXS. */
    public final ChosenOptions chosen = new ChosenOptions();

    /** {@return whether the owner is open; it becomes false, for good, before {@link #onClose} is called} */
    protected abstract boolean isOpen();

    /** {@return a new one with these options} The owner is open. */
    @GuardedBy("lock")
    protected abstract T make(InheritedOptions options) throws IOException;

    /** {@return what replaces one once the owner is closed} Or throws what closed ones throw. */
    protected abstract T closed() throws IOException;

    /** Sets an existing one; before {@link #get}. */
    public void set(T existing) {
        synchronized (lock) {
            tcp = existing;
        }
    }

    /** Sets the options from the listener, before {@link #get} and the connection. */
    public void inherit(InheritedOptions options) {
        synchronized (lock) {
            inherited = options;
        }
        chosen.inherit(options);
    }

    /** {@return the one there is, or null} */
    public @Nullable T orNull() {
        return tcp;
    }

    /** {@return the one there is; made now if there is none} */
    public T get() throws IOException {
        T known = tcp;
        if (known != null) {
            return known;
        }
        synchronized (lock) {
            if (tcp == null) {
                tcp = isOpen() ? make(inherited) : closed();
            }
            return tcp;
        }
    }

    /** {@return whether the option is kept until one is made} */
    public boolean keep(SocketOption<?> name, Object value) {
        synchronized (lock) {
            InheritedOptions more = tcp == null && isOpen() ? inherited.keeping(name, value) : null;
            inherited = more != null ? more : inherited;
            return more != null;
        }
    }

    /** {@return the value of an option of one to be made, if it is known and there is none yet; otherwise null} */
    @SuppressWarnings("unchecked")
    public <V> @Nullable V known(SocketOption<V> name) {
        synchronized (lock) {
            return tcp == null && isOpen() ? (V) inherited.known(name) : null;
        }
    }

    /** The owner has been closed: no other is made from now on. {@return the one to close, or null} */
    public @Nullable T onClose() {
        synchronized (lock) {
            return tcp;
        }
    }
}
