package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ScarceDescriptorsContract;

class ScarceDescriptorsIT extends ScarceDescriptorsContract implements OverSoft {}
