package org.exsockets.compat.disni;

import org.exsockets.compat.contract.ConcurrentUseContract;

class ConcurrentUseIT extends ConcurrentUseContract implements OverDisni {}
