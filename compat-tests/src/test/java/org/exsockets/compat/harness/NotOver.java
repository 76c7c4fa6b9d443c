package org.exsockets.compat.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A behaviour, or all of a contract, that does not hold over some transports, or cannot be tried there. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Repeatable(NotOver.All.class)
@ExtendWith(TransportCondition.class)
public @interface NotOver {
    Transport[] value();

    /** Why; reports show it. */
    String reason();

    /** Holds several, each with its own reason. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    @ExtendWith(TransportCondition.class)
    @interface All {
        NotOver[] value();
    }
}
