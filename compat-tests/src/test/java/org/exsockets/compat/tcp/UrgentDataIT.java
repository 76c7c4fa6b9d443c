package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.UrgentDataContract;

class UrgentDataIT extends UrgentDataContract implements OverTcp {}
