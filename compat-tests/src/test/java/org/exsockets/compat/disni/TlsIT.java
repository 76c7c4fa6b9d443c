package org.exsockets.compat.disni;

import org.exsockets.compat.contract.TlsContract;

class TlsIT extends TlsContract implements OverDisni {}
