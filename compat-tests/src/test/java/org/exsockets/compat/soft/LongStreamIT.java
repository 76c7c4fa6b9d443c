package org.exsockets.compat.soft;

import org.exsockets.compat.contract.LongStreamContract;

class LongStreamIT extends LongStreamContract implements OverSoft {}
