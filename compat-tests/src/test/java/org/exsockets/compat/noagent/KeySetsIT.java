package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.KeySetsContract;

class KeySetsIT extends KeySetsContract implements WithoutAgent {}
