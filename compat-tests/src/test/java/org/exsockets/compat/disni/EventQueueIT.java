package org.exsockets.compat.disni;

import org.exsockets.compat.contract.EventQueueContract;

class EventQueueIT extends EventQueueContract implements OverDisni {}
