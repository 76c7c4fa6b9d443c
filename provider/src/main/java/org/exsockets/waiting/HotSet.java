package org.exsockets.waiting;

import java.util.Arrays;

/**
 * What a waiting thread polls. Each member knows its place. Belongs to the thread.
 *
 * @param <M> what is polled; a member is in one set at most
 */
public final class HotSet<M extends HotSet.Member> {
    /** What can be polled. */
    public interface Member {
        /** Of a member that is in no set. */
        int NOWHERE = -1;

        /** {@return what {@link #place(int)} was given last; {@link #NOWHERE} at first} */
        int place();

        /** The set stores here where the member is. */
        void place(int place);

        /** {@return whether there may be news; must be as cheap as a load or two} */
        boolean hasNews();
    }

    private static final int INITIAL = 16;

    private Member[] members = new Member[INITIAL];
    private int size;

    public int size() {
        return size;
    }

    /** @param index 0 to {@link #size} − 1 */
    @SuppressWarnings("unchecked") // Only add puts something there.
    public M get(int index) {
        return (M) members[index];
    }

    /** Adds {@code member} as the last one, unless it is there. */
    public void add(M member) {
        if (member.place() >= 0) {
            return;
        }
        if (size == members.length) {
            members = Arrays.copyOf(members, 2 * size);
        }
        member.place(size);
        members[size++] = member;
    }

    /** Removes {@code member} if it is there; only the last member may change its place. */
    public void remove(M member) {
        int place = member.place();
        if (place < 0) {
            return;
        }
        member.place(Member.NOWHERE);
        Member last = members[--size];
        members[size] = null;
        if (place < size) {
            members[place] = last;
            last.place(place);
        }
    }

    /** {@return whether some member may have news} */
    public boolean anyNews() {
        for (int i = 0; i < size; i++) {
            if (members[i].hasNews()) {
                return true;
            }
        }
        return false;
    }
}
