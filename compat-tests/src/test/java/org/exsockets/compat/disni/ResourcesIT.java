package org.exsockets.compat.disni;

import org.exsockets.compat.contract.ResourcesContract;

class ResourcesIT extends ResourcesContract implements OverDisni {}
