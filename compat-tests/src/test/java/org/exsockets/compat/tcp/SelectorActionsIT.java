package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SelectorActionsContract;

class SelectorActionsIT extends SelectorActionsContract implements OverTcp {}
