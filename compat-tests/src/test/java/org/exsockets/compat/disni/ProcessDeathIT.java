package org.exsockets.compat.disni;

import org.exsockets.compat.contract.ProcessDeathContract;

class ProcessDeathIT extends ProcessDeathContract implements OverDisni {}
