package org.exsockets.es;

import java.nio.ByteBuffer;
import org.exsockets.api.Export;
import org.exsockets.api.ExsSocket;
import org.exsockets.es.queue.RegisteredMemory;
import org.exsockets.packet.Exports;

/** An export of one packet socket; holds its memory until it is taken back. */
record MemoryExport(ExsSocket socket, Exports.Local local, RegisteredMemory registration, ByteBuffer view)
        implements Export {
    @Override
    public int number() {
        return local.number();
    }

    @Override
    public int length() {
        return local.length();
    }

    /** The peer cannot write there any more. */
    void letGo() {
        registration.letGo(view);
    }
}
