package org.exsockets.compat.disni;

import org.exsockets.compat.contract.WritingAheadContract;

class WritingAheadIT extends WritingAheadContract implements OverDisni {}
