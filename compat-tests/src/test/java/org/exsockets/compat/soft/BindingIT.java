package org.exsockets.compat.soft;

import org.exsockets.compat.contract.BindingContract;

class BindingIT extends BindingContract implements OverSoft {}
