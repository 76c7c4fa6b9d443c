package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.WritingAheadContract;

class WritingAheadIT extends WritingAheadContract implements OverTcp {}
