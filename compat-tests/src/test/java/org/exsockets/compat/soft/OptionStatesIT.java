package org.exsockets.compat.soft;

import org.exsockets.compat.contract.OptionStatesContract;

class OptionStatesIT extends OptionStatesContract implements OverSoft {}
