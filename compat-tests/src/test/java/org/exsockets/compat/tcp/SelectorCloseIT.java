package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SelectorCloseContract;

class SelectorCloseIT extends SelectorCloseContract implements OverTcp {}
