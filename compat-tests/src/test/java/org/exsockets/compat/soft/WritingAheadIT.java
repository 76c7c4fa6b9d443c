package org.exsockets.compat.soft;

import org.exsockets.compat.contract.WritingAheadContract;

class WritingAheadIT extends WritingAheadContract implements OverSoft {}
