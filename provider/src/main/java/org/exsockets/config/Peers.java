package org.exsockets.config;

import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The other users that peers over shared memory may belong to ({@code exs.peers}). Users are their numbers, as this
 * process sees them, unsigned. Those who have none in its user namespace can only be named together. Immutable.
 *
 * @param users sorted for {@link #toString}
 */
public record Peers(boolean any, boolean unmapped, Set<Long> users) implements IntPredicate {
    static final Peers OWN = new Peers(false, false, Set.of());

    private static final String ANY = "any";
    private static final String USER = "user";
    private static final String UNMAPPED = "unmapped";
    private static final long NO_USER = 0xFFFF_FFFFL;

    /** {@return the users that a text in lower case names; null if it is malformed} */
    static @Nullable Peers parse(String text) {
        boolean any = false;
        boolean own = false;
        boolean unmapped = false;
        Set<Long> users = new TreeSet<>();
        for (String each : text.split("\\s*[,+]\\s*", -1)) {
            switch (each) {
                case ANY -> any = true;
                case USER -> own = true;
                case UNMAPPED -> unmapped = true;
                default -> {
                    if (!each.matches("[0-9]{1,10}") || Long.parseLong(each) >= NO_USER) {
                        return null;
                    }
                    users.add(Long.parseLong(each));
                }
            }
        }
        return any && (own || !users.isEmpty()) ? null : new Peers(any, unmapped, users);
    }

    /**
     * {@return whether connections to and from processes of this user, not the own one, are allowed; −1: of those
     * without a number}
     */
    @Override
    public boolean test(int user) {
        long number = Integer.toUnsignedLong(user);
        return number == NO_USER ? unmapped : any || users.contains(number);
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(",").setEmptyValue(USER);
        if (any) {
            text.add(ANY);
        }
        users.forEach(user -> text.add(user.toString()));
        if (unmapped) {
            text.add(UNMAPPED);
        }
        return text.toString();
    }
}
