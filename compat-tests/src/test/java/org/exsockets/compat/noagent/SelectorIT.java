package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.SelectorContract;

class SelectorIT extends SelectorContract implements WithoutAgent {}
