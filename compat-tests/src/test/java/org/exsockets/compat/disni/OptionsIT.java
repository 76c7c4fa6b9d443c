package org.exsockets.compat.disni;

import org.exsockets.compat.contract.OptionsContract;

class OptionsIT extends OptionsContract implements OverDisni {}
