package org.exsockets.compat.soft;

import org.exsockets.compat.contract.OptionsContract;

class OptionsIT extends OptionsContract implements OverSoft {}
