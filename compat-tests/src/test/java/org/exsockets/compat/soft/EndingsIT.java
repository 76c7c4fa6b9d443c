package org.exsockets.compat.soft;

import org.exsockets.compat.contract.EndingsContract;

class EndingsIT extends EndingsContract implements OverSoft {}
