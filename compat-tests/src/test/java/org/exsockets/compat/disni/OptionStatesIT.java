package org.exsockets.compat.disni;

import org.exsockets.compat.contract.OptionStatesContract;

class OptionStatesIT extends OptionStatesContract implements OverDisni {}
