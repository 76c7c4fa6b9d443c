package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AsynchronousBusyGroupContract;

class AsynchronousBusyGroupIT extends AsynchronousBusyGroupContract implements OverSoft {}
