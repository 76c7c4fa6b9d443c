package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SelectorSharingContract;

class SelectorSharingIT extends SelectorSharingContract implements OverSoft {}
