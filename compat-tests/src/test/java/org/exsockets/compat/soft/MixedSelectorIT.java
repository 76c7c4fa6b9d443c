package org.exsockets.compat.soft;

import org.exsockets.compat.contract.MixedSelectorContract;

class MixedSelectorIT extends MixedSelectorContract implements OverSoft {}
