package org.exsockets.compat.soft;

import org.exsockets.compat.contract.FileReceivesContract;

class FileReceivesIT extends FileReceivesContract implements OverSoft {}
