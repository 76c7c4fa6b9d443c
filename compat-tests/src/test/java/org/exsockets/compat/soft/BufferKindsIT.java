package org.exsockets.compat.soft;

import org.exsockets.compat.contract.BufferKindsContract;

class BufferKindsIT extends BufferKindsContract implements OverSoft {}
