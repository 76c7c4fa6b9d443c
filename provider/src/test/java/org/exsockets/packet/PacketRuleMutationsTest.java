package org.exsockets.packet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import org.exsockets.stream.link.MessageCredits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rule of the protocol that is weakened is noticed by the run of {@link PacketsAtRandomTest}. */
class PacketRuleMutationsTest {
    private static final long SEED = Long.getLong("exs.test.seed", 20_261_122L);
    private static final int STEPS_PER_RUN = 500;

    /** Far beyond what any of them needs. */
    private static final long MAX_STEPS = 4_000_000;

    /** Each weakens one rule. */
    enum Mutation {
        WRITES_BEYOND_THE_RECEIVE(() -> new SmallPacketRules() {
            @Override
            int placedBytes(int packet, int receive) {
                return packet;
            }
        }),
        ADVERTISES_WITHOUT_STAGING(() -> new SmallPacketRules() {
            @Override
            boolean mayAdvertise(boolean roomInStaging, boolean finArrived) {
                return !finArrived;
            }
        }),
        ADVERTISES_MORE_THAN_THE_PEER_TAKES(() -> new SmallPacketRules() {
            private int asked;

            @Override
            int advertLimit() {
                // The two sizes of what peers have advertised are asked for first.
                return asked++ < 2 ? 4 : 5;
            }
        }),
        FREES_STAGING_OF_OLDER_RECEIVES(() -> new SmallPacketRules() {
            @Override
            long freeStaging(long oldest, long ended) {
                return Math.max(oldest, ended);
            }
        }),
        USES_AN_ID_TWICE(() -> new SmallPacketRules() {
            @Override
            int idLimit() {
                return 2;
            }
        }),
        DOES_NOT_AWAIT_CANCELLED(() -> new SmallPacketRules() {
            @Override
            boolean awaitsCancelled() {
                return false;
            }
        }),
        USES_A_CANCELLED_ADVERT(() -> new SmallPacketRules() {
            @Override
            boolean dropsCancelled(boolean begun) {
                return false;
            }
        }),
        DROPS_THE_ADVERT_OF_A_PACKET_UNDER_WAY(() -> new SmallPacketRules() {
            @Override
            boolean dropsCancelled(boolean begun) {
                return true;
            }
        }),
        CANCELLED_OVERTAKES_THE_PACKET_UNDER_WAY(() -> new SmallPacketRules() {
            @Override
            boolean mayAnswer(boolean halfSent) {
                return true;
            }
        }),
        PACKETS_OVERTAKE_A_CANCELLED(() -> new SmallPacketRules() {
            @Override
            boolean mayBegin(boolean cancelledDue) {
                return true;
            }
        }),
        DOES_NOT_AWAIT_UNEXPORTED(() -> new SmallPacketRules() {
            @Override
            boolean awaitsUnexported() {
                return false;
            }
        }),
        WRITES_BEHIND_UNEXPORTED(() -> new SmallPacketRules() {
            @Override
            boolean forgetsExport() {
                return false;
            }
        }),
        NOTIFIES_BEFORE_ALL_IS_WRITTEN(() -> new SmallPacketRules() {
            @Override
            boolean mayNotify(int written, int length) {
                return written > 0 || length == 0;
            }
        }),
        NOTIFIES_WITHOUT_A_RECEIVE(() -> new SmallPacketRules() {
            @Override
            boolean notificationTakesAdvert() {
                return false;
            }
        }),
        FIN_OVERTAKES_PACKETS(() -> new SmallPacketRules() {
            @Override
            boolean mayFinish(boolean nothingToSend, boolean cancelledDue) {
                return true;
            }
        }),
        NO_FENCE(() -> new SmallPacketRules() {
            @Override
            boolean fences() {
                return false;
            }
        }),
        NO_CREDIT_RESERVE(() -> new SmallPacketRules() {
            @Override
            MessageCredits credits(int depth) {
                return new MessageCredits(depth, 0, Math.max(2, depth / 2));
            }
        }),
        A_CREDIT_FOR_EVERY_CREDIT(() -> new SmallPacketRules() {
            @Override
            MessageCredits credits(int depth) {
                return new MessageCredits(depth, 1, 1);
            }
        }),
        A_CREDIT_ONLY_FOR_ALL(() -> new SmallPacketRules() {
            @Override
            MessageCredits credits(int depth) {
                return new MessageCredits(depth, 1, depth);
            }
        });

        private final Supplier<PacketRules> rules;

        Mutation(Supplier<PacketRules> rules) {
            this.rules = rules;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNoticed(Mutation mutation) {
        long steps = 0;
        Throwable noticed = null;
        long seed = SEED;
        while (noticed == null && steps < MAX_STEPS) {
            PacketSimulation simulation = new PacketSimulation(seed++, mutation.rules.get());
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
