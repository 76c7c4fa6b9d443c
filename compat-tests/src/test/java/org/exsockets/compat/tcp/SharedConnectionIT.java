package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SharedConnectionContract;

class SharedConnectionIT extends SharedConnectionContract implements OverTcp {}
