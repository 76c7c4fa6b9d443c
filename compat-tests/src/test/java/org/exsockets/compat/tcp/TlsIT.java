package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.TlsContract;

class TlsIT extends TlsContract implements OverTcp {}
