package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.EndingsContract;

class EndingsIT extends EndingsContract implements OverTcp {}
