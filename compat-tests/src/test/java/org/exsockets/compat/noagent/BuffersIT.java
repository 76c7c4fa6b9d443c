package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.BuffersContract;

class BuffersIT extends BuffersContract implements WithoutAgent {}
