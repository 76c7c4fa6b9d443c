package org.exsockets.stream;

/** Is told what became of attempts to have a longer hidden buffer. Called by the poller; must not block. */
public interface GrowthListener {
    /** Tells nobody. */
    GrowthListener NONE = new GrowthListener() {
        @Override
        public void onGrown(int lengthBytes) {}

        @Override
        public void onRefused(int lengthBytes) {}
    };

    /** The peer has switched to a hidden buffer of {@code lengthBytes}. */
    void onGrown(int lengthBytes);

    /** There was no memory for a hidden buffer of {@code lengthBytes}. */
    void onRefused(int lengthBytes);
}
