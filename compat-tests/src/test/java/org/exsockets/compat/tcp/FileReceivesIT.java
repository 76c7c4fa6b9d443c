package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.FileReceivesContract;

class FileReceivesIT extends FileReceivesContract implements OverTcp {}
