package org.exsockets.compat.disni;

import org.exsockets.compat.contract.EsPacketContract;

class EsPacketIT extends EsPacketContract implements OverDisni {}
