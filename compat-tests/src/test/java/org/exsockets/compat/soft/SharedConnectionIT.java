package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SharedConnectionContract;

class SharedConnectionIT extends SharedConnectionContract implements OverSoft {}
