package org.exsockets.compat.disni;

import org.exsockets.compat.contract.BufferKindsContract;

class BufferKindsIT extends BufferKindsContract implements OverDisni {}
