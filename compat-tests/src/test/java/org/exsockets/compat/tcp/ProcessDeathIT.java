package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ProcessDeathContract;

class ProcessDeathIT extends ProcessDeathContract implements OverTcp {}
