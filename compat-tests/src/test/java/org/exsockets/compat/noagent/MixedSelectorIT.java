package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.MixedSelectorContract;

class MixedSelectorIT extends MixedSelectorContract implements WithoutAgent {}
