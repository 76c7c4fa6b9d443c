package org.exsockets.compat.disni;

import org.exsockets.compat.contract.EsStreamContract;

class EsStreamIT extends EsStreamContract implements OverDisni {}
