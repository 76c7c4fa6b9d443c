package org.exsockets.packet;

/** The rules with so few ids and ADVERTs that they are soon used again, and nothing too short to be written where it lies. */
class SmallPacketRules extends PacketRules {
    @Override
    int idLimit() {
        return 16;
    }

    @Override
    int advertLimit() {
        return 4;
    }

    @Override
    int minDirectBytes() {
        return 1;
    }
}
