package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.OptionStatesContract;

class OptionStatesIT extends OptionStatesContract implements OverTcp {}
