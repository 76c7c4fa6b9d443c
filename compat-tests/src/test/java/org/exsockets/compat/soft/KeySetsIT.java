package org.exsockets.compat.soft;

import org.exsockets.compat.contract.KeySetsContract;

class KeySetsIT extends KeySetsContract implements OverSoft {}
