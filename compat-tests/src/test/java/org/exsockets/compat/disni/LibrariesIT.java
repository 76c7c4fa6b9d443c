package org.exsockets.compat.disni;

import org.exsockets.compat.contract.LibrariesContract;

class LibrariesIT extends LibrariesContract implements OverDisni {}
