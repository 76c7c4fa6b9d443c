package org.exsockets.compat.soft;

import org.exsockets.compat.contract.BuffersContract;

class BuffersIT extends BuffersContract implements OverSoft {}
