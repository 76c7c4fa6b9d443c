package org.exsockets.compat.disni;

import org.exsockets.compat.contract.BuffersContract;

class BuffersIT extends BuffersContract implements OverDisni {}
