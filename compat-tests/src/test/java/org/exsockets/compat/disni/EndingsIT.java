package org.exsockets.compat.disni;

import org.exsockets.compat.contract.EndingsContract;

class EndingsIT extends EndingsContract implements OverDisni {}
