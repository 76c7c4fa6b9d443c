package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.SelectorActionsContract;

class SelectorActionsIT extends SelectorActionsContract implements WithoutAgent {}
