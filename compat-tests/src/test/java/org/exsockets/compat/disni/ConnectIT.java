package org.exsockets.compat.disni;

import org.exsockets.compat.contract.ConnectContract;

class ConnectIT extends ConnectContract implements OverDisni {}
