package org.exsockets.config;

import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The other users that peers over shared memory may belong to ({@code exs.peers}). Users are their numbers, as this
 * process sees them, unsigned. Immutable.
 */
public final class Peers implements IntPredicate {
    static final Peers OWN = new Peers(false, Set.of());

    private static final String ANY = "any";
    private static final String USER = "user";
    private static final long NO_USER = 0xFFFF_FFFFL;

    private final boolean any;

    /** Sorted for {@link #toString}. */
    private final Set<Long> users;

    private Peers(boolean any, Set<Long> users) {
        this.any = any;
        this.users = users;
    }

    /** {@return the users that a text in lower case names; null if it is malformed} */
    static @Nullable Peers parse(String text) {
        if (text.equals(ANY)) {
            return new Peers(true, Set.of());
        }
        Set<Long> users = new TreeSet<>();
        for (String each : text.split("\\s*[,+]\\s*", -1)) {
            if (each.equals(USER)) {
                continue;
            }
            if (each.isEmpty() || each.length() > 10 || !each.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return null;
            }
            long user = Long.parseLong(each);
            if (user >= NO_USER) {
                return null;
            }
            users.add(user);
        }
        return new Peers(false, users);
    }

    /** {@return whether connections to and from processes of this user, not the own one, are allowed} */
    @Override
    public boolean test(int user) {
        return any || users.contains(Integer.toUnsignedLong(user));
    }

    @Override
    public String toString() {
        if (any) {
            return ANY;
        }
        StringJoiner text = new StringJoiner(",");
        users.forEach(user -> text.add(user.toString()));
        return users.isEmpty() ? USER : text.toString();
    }
}
