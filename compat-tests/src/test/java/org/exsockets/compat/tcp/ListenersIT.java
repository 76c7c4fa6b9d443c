package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ListenersContract;

class ListenersIT extends ListenersContract implements OverTcp {}
