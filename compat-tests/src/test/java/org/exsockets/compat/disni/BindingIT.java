package org.exsockets.compat.disni;

import org.exsockets.compat.contract.BindingContract;

class BindingIT extends BindingContract implements OverDisni {}
