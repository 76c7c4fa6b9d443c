package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.BufferKindsContract;

class BufferKindsIT extends BufferKindsContract implements OverTcp {}
