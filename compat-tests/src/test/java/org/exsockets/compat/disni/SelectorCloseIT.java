package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SelectorCloseContract;

class SelectorCloseIT extends SelectorCloseContract implements OverDisni {}
