package org.exsockets.stream;

/** The rules with so few ids that they are soon used again. */
class SmallRules extends Rules {
    @Override
    int idLimit() {
        return 4;
    }

    @Override
    int advertLimit() {
        return 4;
    }
}
