package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.ResourcesContract;

class ResourcesIT extends ResourcesContract implements WithoutAgent {}
