package org.exsockets.compat.soft;

import org.exsockets.compat.contract.TlsContract;

class TlsIT extends TlsContract implements OverSoft {}
