package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SelectorSharingContract;

class SelectorSharingIT extends SelectorSharingContract implements OverDisni {}
