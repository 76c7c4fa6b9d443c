package org.exsockets.compat.soft;

import org.exsockets.compat.contract.WaitingTurnsContract;

class WaitingTurnsIT extends WaitingTurnsContract implements OverSoft {}
