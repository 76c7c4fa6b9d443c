package org.exsockets.compat.disni;

import org.exsockets.compat.contract.LongStreamContract;

class LongStreamIT extends LongStreamContract implements OverDisni {}
