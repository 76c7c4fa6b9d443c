package org.exsockets.compat.disni;

import org.exsockets.compat.contract.HalfCloseContract;

class HalfCloseIT extends HalfCloseContract implements OverDisni {}
