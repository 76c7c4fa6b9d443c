package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AddressesContract;

class AddressesIT extends AddressesContract implements OverSoft {}
