package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SharedConnectionContract;

class SharedConnectionIT extends SharedConnectionContract implements OverDisni {}
