package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SelectorSharingContract;

class SelectorSharingIT extends SelectorSharingContract implements OverTcp {}
