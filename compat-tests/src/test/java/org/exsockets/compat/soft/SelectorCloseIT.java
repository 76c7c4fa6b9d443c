package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SelectorCloseContract;

class SelectorCloseIT extends SelectorCloseContract implements OverSoft {}
