package org.exsockets.compat.disni;

import org.exsockets.compat.contract.TransportProofContract;

class TransportProofIT extends TransportProofContract implements OverDisni {}
