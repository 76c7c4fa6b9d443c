package org.exsockets.compat.programs.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** The work of Kafka's clients: many small messages, large ones, transactions. Arguments: the broker's ports. */
public final class KafkaClients {
    private static final long LEADERS_LIMIT_NS = 30_000_000_000L;
    private static final long LEADERS_LOOK_MS = 50;

    static final String ORDERS = "orders";
    static final String LARGE = "large";
    static final String COPIES = "copies";
    static final String EXACT_COPIES = "exact-copies";

    private KafkaClients() {}

    public static void main(String[] arguments) {
        Map<String, Object> plain = connection(arguments[0]);
        Map<String, Object> tls = connection(arguments[1]);
        tls.put("security.protocol", "SSL");
        tls.put("ssl.truststore.location", System.getProperty("javax.net.ssl.trustStore"));
        tls.put("ssl.truststore.password", System.getProperty("javax.net.ssl.trustStorePassword"));
        Driver.work(results -> {
            try (Admin admin = Admin.create(plain)) {
                createTopics(admin);
            }
            new ManyMessages(plain).work(results);
            new LargeMessages(plain, tls).work(results);
            new Transactions(plain).work(results);
        });
    }

    private static void createTopics(Admin admin) throws ExecutionException, InterruptedException {
        Map<String, String> large = Map.of("max.message.bytes", Integer.toString(KafkaBroker.LARGEST_MESSAGE_BYTES));
        List<NewTopic> topics = List.of(
                new NewTopic(ORDERS, 4, (short) 1),
                new NewTopic(LARGE, 1, (short) 1).configs(large),
                new NewTopic(COPIES, 2, (short) 1),
                new NewTopic(EXACT_COPIES, 4, (short) 1));
        admin.createTopics(topics).all().get();
        awaitLeaders(admin, topics);
    }

    /**
     * A topic has been created before the broker leads its partitions. A producer that sends in between loses its first
     * batch if the second one comes just after (KAFKA-15591), over any transport. Offsets are told by leaders only; the
     * client tries again.
     */
    private static void awaitLeaders(Admin admin, List<NewTopic> topics)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> all = new HashMap<>();
        for (NewTopic topic : topics) {
            for (int partition = 0; partition < topic.numPartitions(); partition++) {
                all.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
            }
        }
        long deadlineNs = System.nanoTime() + LEADERS_LIMIT_NS;
        while (!haveLeaders(admin, all)) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException("the broker does not know its new topics: " + all.keySet());
            }
            Thread.sleep(LEADERS_LOOK_MS);
        }
    }

    /** {@return false: the controller has created the topics, and the broker has not heard of it; the client does not try that again} */
    private static boolean haveLeaders(Admin admin, Map<TopicPartition, OffsetSpec> partitions)
            throws ExecutionException, InterruptedException {
        try {
            admin.listOffsets(partitions).all().get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    private static Map<String, Object> connection(String port) {
        return new HashMap<>(Map.of("bootstrap.servers", Ports.HOST + ":" + port));
    }
}
