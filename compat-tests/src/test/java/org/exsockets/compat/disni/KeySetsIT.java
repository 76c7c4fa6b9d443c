package org.exsockets.compat.disni;

import org.exsockets.compat.contract.KeySetsContract;

class KeySetsIT extends KeySetsContract implements OverDisni {}
