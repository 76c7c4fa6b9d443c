package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.BindingContract;

class BindingIT extends BindingContract implements OverTcp {}
