package org.exsockets.compat.disni;

import org.exsockets.compat.contract.ListenersContract;

class ListenersIT extends ListenersContract implements OverDisni {}
