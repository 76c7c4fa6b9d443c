package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SelectorActionsContract;

class SelectorActionsIT extends SelectorActionsContract implements OverSoft {}
