package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SelectorContract;

class SelectorIT extends SelectorContract implements OverDisni {}
