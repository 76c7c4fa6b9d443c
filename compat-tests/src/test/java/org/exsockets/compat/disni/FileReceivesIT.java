package org.exsockets.compat.disni;

import org.exsockets.compat.contract.FileReceivesContract;

class FileReceivesIT extends FileReceivesContract implements OverDisni {}
