package org.exsockets.compat.soft;

import org.exsockets.compat.contract.HalfCloseContract;

class HalfCloseIT extends HalfCloseContract implements OverSoft {}
