package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.HalfCloseContract;

class HalfCloseIT extends HalfCloseContract implements OverTcp {}
