package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.AssertionFailedError;

/**
 * Bounds each test of a class, or a method that runs after tests, stretched by the {@link Patience}; each then runs on a
 * thread of its own, which is left behind when it does not return. The limit of a method outranks that of its class.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(TimeLimit.Enforcement.class)
public @interface TimeLimit {
    long seconds();

    /** Runs the methods under their limit. */
    final class Enforcement implements InvocationInterceptor {
        /** How JUnit begins to say so. */
        private static final String LATE = "execution timed out";

        @Override
        public void interceptTestMethod(
                Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            TimeLimit own = method.getExecutable().getAnnotation(TimeLimit.class);
            run(test, own != null ? own : method.getTargetClass().getAnnotation(TimeLimit.class), method);
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            interceptTestMethod(test, method, context);
        }

        @Override
        public void interceptAfterEachMethod(
                Invocation<Void> end, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            run(end, method.getExecutable().getAnnotation(TimeLimit.class), method);
        }

        @Override
        public void interceptAfterAllMethod(
                Invocation<Void> end, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            run(end, method.getExecutable().getAnnotation(TimeLimit.class), method);
        }

        private static void run(
                Invocation<Void> invocation, TimeLimit limit, ReflectiveInvocationContext<Method> method)
                throws Throwable {
            if (limit == null) {
                invocation.proceed();
                return;
            }
            try {
                assertTimeoutPreemptively(Duration.ofSeconds(Patience.of(limit.seconds())), invocation::proceed);
            } catch (AssertionFailedError late) {
                if (late.getMessage().startsWith(LATE)) {
                    keepStacks(method, late);
                }
                throw late;
            }
        }

        private static void keepStacks(ReflectiveInvocationContext<Method> method, AssertionFailedError late) {
            String name = method.getTargetClass().getName();
            try {
                Stacks.keep(name + "." + method.getExecutable().getName());
            } catch (IOException e) {
                late.addSuppressed(e);
            }
        }
    }
}
