package org.exsockets.packet;

/** ADVERTs of the peer that have not been used yet, in their order: a ring whose objects are used again. */
final class PeerAdverts {
    /** One of them. */
    static final class Advert {
        int id;

        /** Bytes that it takes. */
        int total;

        /** Bytes of those that lie at {@link #address}. */
        int direct;

        long address;
        int rkey;

        /** Where the other bytes lie in the peer's exposed memory. */
        int offset;
    }

    private final Advert[] ring;
    private int first;
    private int count;

    PeerAdverts(int capacity) {
        ring = new Advert[capacity];
    }

    private int index(int i) {
        return (first + i) % ring.length;
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == ring.length;
    }

    void add(int id, int total, long address, int rkey, int direct, int offset) {
        int at = index(count++);
        if (ring[at] == null) {
            ring[at] = new Advert();
        }
        Advert added = ring[at];
        added.id = id;
        added.total = total;
        added.address = address;
        added.rkey = rkey;
        added.direct = direct;
        added.offset = offset;
    }

    /** Unless {@link #isEmpty}. {@return the oldest one, valid until it is removed} */
    Advert first() {
        return ring[first];
    }

    void removeFirst() {
        first = index(1);
        count--;
    }

    /** Removes the ADVERT with this id, if there is one. */
    void remove(int id) {
        for (int i = 0; i < count; i++) {
            Advert found = ring[index(i)];
            if (found.id == id) {
                for (int j = i; j < count - 1; j++) {
                    ring[index(j)] = ring[index(j + 1)];
                }
                ring[index(--count)] = found;
                return;
            }
        }
    }
}
