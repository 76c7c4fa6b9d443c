package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

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

/**
 * Bounds each test of a class, and each method that runs before or after tests, by the {@link Patience}; each then runs on a
 * thread of its own, which is left behind when it does not return. The limit of a method outranks that of its class.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(TimeLimit.Enforcement.class)
public @interface TimeLimit {
    /** {@return how much it does} */
    Work value() default Work.USUAL;

    /** How much a test does. */
    enum Work {
        USUAL(Patience.TEST_SECONDS),
        /** Very much is moved or made, or programs run. */
        LONG(Patience.LONG_TEST_SECONDS);

        private final long seconds;

        Work(long seconds) {
            this.seconds = seconds;
        }
    }

    /** Runs the methods under their limit. */
    final class Enforcement implements InvocationInterceptor {
        @Override
        public void interceptBeforeAllMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            run(invocation, method, context);
        }

        @Override
        public void interceptBeforeEachMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            run(invocation, method, context);
        }

        @Override
        public void interceptTestMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            run(invocation, method, context);
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            run(invocation, method, context);
        }

        @Override
        public void interceptAfterEachMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            run(invocation, method, context);
        }

        @Override
        public void interceptAfterAllMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            run(invocation, method, context);
        }

        private static void run(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            TimeLimit own = method.getExecutable().getAnnotation(TimeLimit.class);
            TimeLimit limit = own != null ? own : method.getTargetClass().getAnnotation(TimeLimit.class);
            if (limit == null) {
                invocation.proceed();
                return;
            }
            // What runs around a test belongs to it.
            Method test = context.getTestMethod().orElse(method.getExecutable());
            Stacks.nowOf(method.getTargetClass().getName() + "." + test.getName());
            try {
                String what = method.getExecutable().getName() + " ends";
                long seconds = limit.value().seconds;
                assertTimeoutPreemptively(
                        Duration.ofSeconds(seconds), invocation::proceed, () -> Patience.report(what, seconds));
            } finally {
                Stacks.nowOf(null);
            }
        }
    }
}
