package org.exsockets.verbs.soft.meet;

import java.util.function.IntPredicate;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.soft.host.UserNamespace;

/**
 * Whose processes may be peers. Users are their numbers as this process sees them, unsigned.
 *
 * <p>In a user namespace one number stands for everybody who has none there, so it tells nobody from others: who has it
 * is not the own user, not even if this process has it, and not the same as another one who has it.
 *
 * @param own the user of this process
 * @param overflow that number; {@link UserNamespace#NONE} where every user has one of his own
 * @param others which other users are allowed; asked for {@link DeviceOptions#NO_NUMBER} in place of {@code overflow}
 * @param answerNs how long a connect waits for one of them to accept, before it leaves the connection to TCP
 */
public record Users(int own, int overflow, IntPredicate others, long answerNs) {
    /** {@return whether processes of a user may be told of this one, and reach memory of its program} */
    boolean isOwn(int user) {
        return user == own && !hasNoNumber(user);
    }

    /** {@return whether nobody knows which user it is} */
    private boolean hasNoNumber(int user) {
        return overflow != UserNamespace.NONE && user == overflow;
    }

    boolean mayBePeer(int user) {
        return isOwn(user) || others.test(hasNoNumber(user) ? DeviceOptions.NO_NUMBER : user);
    }
}
