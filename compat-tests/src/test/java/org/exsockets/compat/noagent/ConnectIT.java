package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.ConnectContract;

class ConnectIT extends ConnectContract implements WithoutAgent {}
