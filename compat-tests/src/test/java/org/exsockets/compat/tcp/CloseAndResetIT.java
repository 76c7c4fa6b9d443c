package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.CloseAndResetContract;

class CloseAndResetIT extends CloseAndResetContract implements OverTcp {}
