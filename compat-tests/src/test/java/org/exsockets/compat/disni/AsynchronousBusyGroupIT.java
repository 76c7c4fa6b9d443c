package org.exsockets.compat.disni;

import org.exsockets.compat.contract.AsynchronousBusyGroupContract;

class AsynchronousBusyGroupIT extends AsynchronousBusyGroupContract implements OverDisni {}
