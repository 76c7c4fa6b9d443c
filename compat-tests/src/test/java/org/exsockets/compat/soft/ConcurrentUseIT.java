package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ConcurrentUseContract;

class ConcurrentUseIT extends ConcurrentUseContract implements OverSoft {}
