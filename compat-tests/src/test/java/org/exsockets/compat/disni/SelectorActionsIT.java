package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SelectorActionsContract;

class SelectorActionsIT extends SelectorActionsContract implements OverDisni {}
