package org.exsockets.compat.disni;

import org.exsockets.compat.contract.FileTransfersContract;

class FileTransfersIT extends FileTransfersContract implements OverDisni {}
