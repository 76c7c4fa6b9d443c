package org.exsockets.compat.soft;

import org.exsockets.compat.contract.LibrariesContract;

class LibrariesIT extends LibrariesContract implements OverSoft {}
