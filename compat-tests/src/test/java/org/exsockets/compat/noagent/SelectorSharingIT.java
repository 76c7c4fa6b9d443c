package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.SelectorSharingContract;

class SelectorSharingIT extends SelectorSharingContract implements WithoutAgent {}
