package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.FileStreamsContract;

class FileStreamsIT extends FileStreamsContract implements OverTcp {}
