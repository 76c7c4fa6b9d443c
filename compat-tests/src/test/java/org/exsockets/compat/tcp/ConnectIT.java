package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ConnectContract;

class ConnectIT extends ConnectContract implements OverTcp {}
