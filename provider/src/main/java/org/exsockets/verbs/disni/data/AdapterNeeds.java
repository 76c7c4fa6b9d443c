package org.exsockets.verbs.disni.data;

import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.disni.DeviceAttributes;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.jspecify.annotations.Nullable;

/** What connections need of an adapter, and whether it has that. Any thread. */
public final class AdapterNeeds {
    /** Each request has one element. */
    private static final int ELEMENTS = 1;

    private AdapterNeeds() {}

    /** {@return what the adapter lacks, in words; null if it can serve, as far as it tells} */
    public static @Nullable String lack(DeviceAttributes about) {
        if (about.transport() != DeviceAttributes.INFINIBAND && about.transport() != DeviceAttributes.IWARP) {
            return "it has no reliable connections (transport " + about.transport() + ")";
        }
        if (about.elements() < ELEMENTS) {
            return "its requests have no elements (max_sge " + about.elements() + ")";
        }
        if (deepest(about) < QueueLimits.MIN_RECEIVE_DEPTH) {
            return "its queues are too short (max_qp_wr " + about.requests() + ", max_cqe " + about.completions() + ")";
        }
        if (about.pageSizes() != 0 && (about.pageSizes() & about.systemPageBytes()) == 0) {
            return "it does not take the system's pages of " + about.systemPageBytes() + " bytes";
        }
        return null;
    }

    /** {@return the most receives of a connection: a power of two; 0 if there may be none} */
    public static int deepest(DeviceAttributes about) {
        int depth = EndpointParameters.MAX_RECEIVE_DEPTH;
        while (depth > 0
                && (ConnectionSizes.sendDepth(depth) > about.requests()
                        || ConnectionSizes.completions(depth) > about.completions())) {
            depth /= 2;
        }
        return depth;
    }
}
