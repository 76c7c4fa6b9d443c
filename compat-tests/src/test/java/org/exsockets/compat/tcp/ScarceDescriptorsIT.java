package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ScarceDescriptorsContract;

class ScarceDescriptorsIT extends ScarceDescriptorsContract implements OverTcp {}
