package org.exsockets.stream;

import org.exsockets.stream.link.Rules;

/** The rules with so few ids that they are soon used again. */
class SmallRules extends Rules {
    @Override
    public int idLimit() {
        return 4;
    }

    @Override
    public int advertLimit() {
        return 4;
    }
}
