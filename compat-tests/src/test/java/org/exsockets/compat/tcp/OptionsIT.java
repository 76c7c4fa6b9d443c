package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.OptionsContract;

class OptionsIT extends OptionsContract implements OverTcp {}
