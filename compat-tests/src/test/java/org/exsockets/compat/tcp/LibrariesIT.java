package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.LibrariesContract;

class LibrariesIT extends LibrariesContract implements OverTcp {}
