package org.exsockets.compat.harness;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips what {@link Over} and {@link NotOver} say does not run over the transport of this JVM. */
final class TransportCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String reason =
                context.getElement().map(TransportCondition::reasonToSkip).orElse(null);
        return reason == null ? ConditionEvaluationResult.enabled(null) : ConditionEvaluationResult.disabled(reason);
    }

    /** {@return null if the element runs} */
    private static String reasonToSkip(AnnotatedElement element) {
        Transport transport = Transport.underTest();
        for (NotOver not : findRepeatableAnnotations(element, NotOver.class)) {
            if (List.of(not.value()).contains(transport)) {
                return not.reason();
            }
        }
        return findAnnotation(element, Over.class)
                .map(Over::value)
                .map(List::of)
                .filter(those -> !those.contains(transport))
                .map(those -> "over " + those + " only")
                .orElse(null);
    }
}
