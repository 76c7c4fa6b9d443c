package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ConnectContract;

class ConnectIT extends ConnectContract implements OverSoft {}
