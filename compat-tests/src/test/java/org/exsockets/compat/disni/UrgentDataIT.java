package org.exsockets.compat.disni;

import org.exsockets.compat.contract.UrgentDataContract;

class UrgentDataIT extends UrgentDataContract implements OverDisni {}
