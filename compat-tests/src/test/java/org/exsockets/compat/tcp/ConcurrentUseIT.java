package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ConcurrentUseContract;

class ConcurrentUseIT extends ConcurrentUseContract implements OverTcp {}
