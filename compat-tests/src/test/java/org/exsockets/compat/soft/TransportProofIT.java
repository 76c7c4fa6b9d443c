package org.exsockets.compat.soft;

import org.exsockets.compat.contract.TransportProofContract;

class TransportProofIT extends TransportProofContract implements OverSoft {}
