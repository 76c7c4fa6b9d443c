package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ListenersContract;

class ListenersIT extends ListenersContract implements OverSoft {}
