package org.exsockets.compat.disni;

import org.exsockets.compat.contract.AddressesContract;

class AddressesIT extends AddressesContract implements OverDisni {}
