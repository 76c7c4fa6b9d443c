package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.disni.CmEventDescriptor;
import org.exsockets.verbs.disni.cm.PrivateDataDescriptor.Rejection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a rejected connect says of the next ones. */
class RejectionTest {
    private static final InetSocketAddress REMOTE = new InetSocketAddress("192.0.2.1", 5000);

    private static Kind kind(int status, Rejection rejection) {
        EndpointLife.Answer answer = new EndpointLife.Answer(CmEventDescriptor.REJECTED, status, rejection, null);
        return DisniDevice.rejected(answer, REMOTE).kind();
    }

    /** The numbers are those of {@code ib_cm_rej_reason}. */
    @ParameterizedTest
    @CsvSource({
        "1, PASSING", // no queue pair
        "3, PASSING", // no resources
        "4, PASSING", // time-out
        "6, PASSING", // invalid communication id
        "8, REFUSED", // invalid service id
        "10, PASSING", // stale connection
        "33, PASSING", // vendor option not supported
    })
    void onlyNobodyThereIsARefusal(int status, Kind expected) {
        assertEquals(expected, kind(status, Rejection.UNKNOWN));
    }

    @ParameterizedTest
    @CsvSource({
        "UNKNOWN, REFUSED",
        "VERSION, VERSION",
        "BACKLOG_FULL, BACKLOG_FULL",
        "LOCKED_MEMORY, LOCKED_MEMORY",
        "NO_RESOURCES, NO_MEMORY",
        "MALFORMED, FAILED",
        "OTHER_PROTOCOL, OTHER_PROTOCOL",
    })
    void aListenerSaysWhy(Rejection rejection, Kind expected) {
        assertEquals(expected, kind(CmEventDescriptor.REJECT_BY_PEER, rejection));
    }
}
