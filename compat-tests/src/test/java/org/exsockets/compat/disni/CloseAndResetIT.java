package org.exsockets.compat.disni;

import org.exsockets.compat.contract.CloseAndResetContract;

class CloseAndResetIT extends CloseAndResetContract implements OverDisni {}
