package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.WaitingTurnsContract;

class WaitingTurnsIT extends WaitingTurnsContract implements OverTcp {}
