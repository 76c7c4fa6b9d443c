package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ProcessDeathContract;

class ProcessDeathIT extends ProcessDeathContract implements OverSoft {}
