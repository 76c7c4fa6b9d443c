package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.BindingContract;

class BindingIT extends BindingContract implements WithoutAgent {}
