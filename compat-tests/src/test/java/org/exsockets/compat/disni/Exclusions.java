package org.exsockets.compat.disni;

import java.util.Map;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The tests of the contracts that do not run over an RDMA adapter, each with its reason. */
final class Exclusions implements ExecutionCondition {
    private static final Map<String, String> REASONS = Map.of(
            "LongStreamIT.moreThanFourGibibytesArriveInOrder",
            "soft-RoCE in an emulated machine takes an hour for it; counters wider than 32 bits are the stream's own",
            "ConnectIT.unreachableNetworkIsReportedByANonBlockingChannel",
            "a non-blocking connect that an adapter may take goes on in the background: finishConnect reports its failure",
            "EsPacketIT.memoryThatThePeerCannotWriteToTakesPacketsUpToALimit",
            "an adapter reaches any direct memory of the program",
            "EsPacketIT.placementNeedsMemoryThatThePeerCanWriteTo",
            "an adapter reaches any direct memory of the program");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String name = context.getRequiredTestClass().getSimpleName()
                + context.getTestMethod().map(method -> "." + method.getName()).orElse("");
        String reason = REASONS.get(name);
        return reason == null ? ConditionEvaluationResult.enabled(null) : ConditionEvaluationResult.disabled(reason);
    }
}
