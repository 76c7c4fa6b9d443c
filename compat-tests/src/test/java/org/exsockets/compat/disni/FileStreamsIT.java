package org.exsockets.compat.disni;

import org.exsockets.compat.contract.FileStreamsContract;

class FileStreamsIT extends FileStreamsContract implements OverDisni {}
