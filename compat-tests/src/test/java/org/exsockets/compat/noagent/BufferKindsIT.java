package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.BufferKindsContract;

class BufferKindsIT extends BufferKindsContract implements WithoutAgent {}
