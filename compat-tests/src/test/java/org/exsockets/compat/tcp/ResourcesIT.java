package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ResourcesContract;

class ResourcesIT extends ResourcesContract implements OverTcp {}
