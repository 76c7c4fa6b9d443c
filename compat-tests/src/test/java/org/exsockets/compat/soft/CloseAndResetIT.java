package org.exsockets.compat.soft;

import org.exsockets.compat.contract.CloseAndResetContract;

class CloseAndResetIT extends CloseAndResetContract implements OverSoft {}
