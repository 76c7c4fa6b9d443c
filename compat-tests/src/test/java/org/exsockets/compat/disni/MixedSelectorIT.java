package org.exsockets.compat.disni;

import org.exsockets.compat.contract.MixedSelectorContract;

class MixedSelectorIT extends MixedSelectorContract implements OverDisni {}
