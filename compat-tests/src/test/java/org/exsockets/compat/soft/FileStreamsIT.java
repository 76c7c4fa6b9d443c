package org.exsockets.compat.soft;

import org.exsockets.compat.contract.FileStreamsContract;

class FileStreamsIT extends FileStreamsContract implements OverSoft {}
