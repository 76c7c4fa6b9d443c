package org.exsockets.compat.disni;

import org.exsockets.compat.contract.EsStoppedPeerContract;

class EsStoppedPeerIT extends EsStoppedPeerContract implements OverDisni {}
