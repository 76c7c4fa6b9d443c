package org.exsockets.packet;

/** Is told when a transfer ends, within calls of the engine; may begin further transfers. */
@FunctionalInterface
public interface PacketListener {
    void ended(PacketTransfer transfer, PacketEnding how);
}
