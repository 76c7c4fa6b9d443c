package org.exsockets.compat.soft;

import org.exsockets.compat.contract.UrgentDataContract;

class UrgentDataIT extends UrgentDataContract implements OverSoft {}
