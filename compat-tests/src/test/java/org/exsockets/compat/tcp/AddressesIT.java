package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AddressesContract;

class AddressesIT extends AddressesContract implements OverTcp {}
