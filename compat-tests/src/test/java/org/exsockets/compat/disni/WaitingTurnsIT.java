package org.exsockets.compat.disni;

import org.exsockets.compat.contract.WaitingTurnsContract;

class WaitingTurnsIT extends WaitingTurnsContract implements OverDisni {}
