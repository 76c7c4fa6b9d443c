package org.exsockets.packet;

/** ADVERTs of the peer that have not been used yet, in their order: a ring without objects. */
final class PeerAdverts {
    private final int[] ids;
    private final int[] totals;
    private final long[] addresses;
    private final int[] rkeys;
    private final int[] directs;
    private final int[] offsets;
    private int first;
    private int count;

    PeerAdverts(int capacity) {
        ids = new int[capacity];
        totals = new int[capacity];
        addresses = new long[capacity];
        rkeys = new int[capacity];
        directs = new int[capacity];
        offsets = new int[capacity];
    }

    private int index(int i) {
        return (first + i) % ids.length;
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == ids.length;
    }

    void add(int id, int total, long address, int rkey, int direct, int offset) {
        int at = index(count++);
        ids[at] = id;
        totals[at] = total;
        addresses[at] = address;
        rkeys[at] = rkey;
        directs[at] = direct;
        offsets[at] = offset;
    }

    int id() {
        return ids[first];
    }

    /** {@return bytes the first one takes} */
    int total() {
        return totals[first];
    }

    /** {@return bytes of those that lie at {@link #address}} */
    int direct() {
        return directs[first];
    }

    long address() {
        return addresses[first];
    }

    int rkey() {
        return rkeys[first];
    }

    /** {@return where the other bytes lie in the peer's exposed memory} */
    int offset() {
        return offsets[first];
    }

    void removeFirst() {
        first = index(1);
        count--;
    }

    /** Removes the ADVERT with this id, if there is one. */
    void remove(int id) {
        for (int i = 0; i < count; i++) {
            if (ids[index(i)] == id) {
                for (int j = i; j < count - 1; j++) {
                    move(index(j + 1), index(j));
                }
                count--;
                return;
            }
        }
    }

    private void move(int from, int to) {
        ids[to] = ids[from];
        totals[to] = totals[from];
        addresses[to] = addresses[from];
        rkeys[to] = rkeys[from];
        directs[to] = directs[from];
        offsets[to] = offsets[from];
    }
}
