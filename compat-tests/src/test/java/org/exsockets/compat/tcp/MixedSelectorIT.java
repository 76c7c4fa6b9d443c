package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.MixedSelectorContract;

class MixedSelectorIT extends MixedSelectorContract implements OverTcp {}
