package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ResourcesContract;

class ResourcesIT extends ResourcesContract implements OverSoft {}
