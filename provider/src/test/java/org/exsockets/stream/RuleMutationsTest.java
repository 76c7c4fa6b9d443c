package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import org.exsockets.stream.DirectSimulation.Driving;
import org.exsockets.stream.link.Phase;
import org.exsockets.stream.link.Rules;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rule of the protocol that is weakened is noticed by the run of {@link DirectTransfersTest}. */
class RuleMutationsTest {
    private static final long SEED = Long.getLong("exs.test.seed", 20_261_121L);
    private static final int STEPS_PER_RUN = 700;

    /** Far beyond what any of them needs. */
    private static final long MAX_STEPS = 6_000_000;

    /** Each weakens one rule. */
    enum Mutation {
        POSITION_IS_THE_EXPECTED_ONE(() -> new SmallRules() {
            @Override
            public long advertisedPosition(long received, long outstanding) {
                return received + outstanding;
            }
        }),
        POSITION_IS_NOT_TESTED(() -> new SmallRules() {
            @Override
            public boolean accepts(int phase, long position, int current, long sent) {
                return phase == current || Phase.isLater(phase, current);
            }
        }),
        PHASE_IS_NOT_TESTED(() -> new SmallRules() {
            @Override
            public boolean accepts(int phase, long position, int current, long sent) {
                return position == sent;
            }
        }),
        ADVERTISES_WHILE_BYTES_ARE_UNREAD(() -> new SmallRules() {
            @Override
            public boolean mayAdvertise(long unread, boolean finArrived) {
                return !finArrived;
            }
        }),
        KEEPS_ADVERTS_WHEN_GOING_INDIRECT(() -> new SmallRules() {
            @Override
            public boolean discardsWhenIndirect() {
                return false;
            }
        }),
        DOES_NOT_AWAIT_CANCELLED(() -> new SmallRules() {
            @Override
            public boolean awaitsCancelled() {
                return false;
            }
        }),
        USES_AN_ID_WHOSE_CANCEL_IS_UNANSWERED(() -> new SmallRules() {
            @Override
            public boolean isFree(boolean live, boolean unanswered) {
                return !live;
            }
        }),
        A_PART_ENDS_A_CANCELLED_RECEIVE_THAT_WAITS_FOR_ALL(() -> new SmallRules() {
            @Override
            public boolean endsCancelled(boolean full) {
                return true;
            }
        }),
        BYTES_OVERTAKE_A_CANCELLED(() -> new SmallRules() {
            @Override
            public boolean mayAnnounce(boolean cancelledDue) {
                return true;
            }
        }),
        NO_FENCE(() -> new SmallRules() {
            @Override
            public boolean fences() {
                return false;
            }
        }),
        ONLY_ONE_BEHIND_A_FENCE(() -> new SmallRules() {
            @Override
            public boolean fencesThoseBehind() {
                return false;
            }
        }),
        WRITES_THROUGH_A_CLOSED_WINDOW(() -> new SmallRules() {
            @Override
            public boolean heedsWindows() {
                return false;
            }
        }),
        TAKES_A_CLOSED_WINDOW_FOR_AN_EMPTY_QUEUE(() -> new SmallRules() {
            @Override
            public boolean handlesArrivalsBehindClosing() {
                return false;
            }
        }),
        BUFFER_IS_RELEASED_BEFORE_SWITCHED(SmallRules::new, Driving.EARLY_RELEASE),
        ACK_WITHOUT_GENERATION(() -> new SmallRules() {
            @Override
            public boolean concerns(int generation, int of) {
                return true;
            }
        }),
        NO_CREDIT_RESERVE(() -> new SmallRules() {
            @Override
            public int creditReserve() {
                return 0;
            }
        }),
        A_CREDIT_FOR_EVERY_CREDIT(() -> new SmallRules() {
            @Override
            public int creditThreshold(int depth) {
                return 1;
            }
        }),
        A_CREDIT_ONLY_FOR_ALL(() -> new SmallRules() {
            @Override
            public int creditThreshold(int depth) {
                return depth;
            }
        }),
        DEAF_WHILE_OWING(SmallRules::new, Driving.DEAF_WHILE_OWING),
        ACKNOWLEDGES_TOO_LATE(() -> new SmallRules() {
            @Override
            public int acknowledgeThreshold(int length) {
                return length + 1;
            }
        });

        private final Supplier<Rules> rules;
        private final Driving driving;

        Mutation(Supplier<Rules> rules) {
            this(rules, Driving.RIGHT);
        }

        Mutation(Supplier<Rules> rules, Driving driving) {
            this.rules = rules;
            this.driving = driving;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNoticed(Mutation mutation) {
        long steps = 0;
        Throwable noticed = null;
        long seed = SEED;
        while (noticed == null && steps < MAX_STEPS) {
            DirectSimulation simulation = new DirectSimulation(seed++, mutation.rules.get(), mutation.driving);
            try {
                simulation.run(STEPS_PER_RUN);
            } catch (AssertionError | RuntimeException e) {
                noticed = e;
            }
            steps += simulation.steps();
        }
        assertTrue(noticed != null, mutation + " was not noticed in " + steps + " steps");
        System.out.println(mutation + ": steps=" + steps + ", " + noticed.getMessage());
    }
}
