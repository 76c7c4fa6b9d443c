package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.BuffersContract;

class BuffersIT extends BuffersContract implements OverTcp {}
