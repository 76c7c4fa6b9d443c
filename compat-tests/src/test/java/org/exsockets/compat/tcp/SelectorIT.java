package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SelectorContract;

class SelectorIT extends SelectorContract implements OverTcp {}
