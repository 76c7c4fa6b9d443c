package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SelectorContract;

class SelectorIT extends SelectorContract implements OverSoft {}
