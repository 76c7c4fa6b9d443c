package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.SelectorCloseContract;

class SelectorCloseIT extends SelectorCloseContract implements WithoutAgent {}
