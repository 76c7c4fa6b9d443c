package org.exsockets.agent;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test that is given the home of each JDK of {@link ChildJvm#jdks} in turn. */
@ParameterizedTest
@MethodSource("org.exsockets.agent.ChildJvm#jdks")
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnEachJdk {}
