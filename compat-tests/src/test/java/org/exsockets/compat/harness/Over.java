package org.exsockets.compat.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A behaviour, or all of a contract, that holds over some transports only: what shows how one of them works. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(TransportCondition.class)
public @interface Over {
    Transport[] value();
}
