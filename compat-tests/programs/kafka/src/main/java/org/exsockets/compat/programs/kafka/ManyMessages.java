package org.exsockets.compat.programs.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Results;

/**
 * Small messages: each that was acknowledged arrives once, with its content, and those of a partition in the order in
 * which they were sent. One consumer group uses the classic protocol, one the newer protocol of groups.
 */
final class ManyMessages {
    private static final int COUNT = 12_000;
    private static final int LARGEST_BYTES = 400;

    private final Map<String, Object> connection;

    ManyMessages(Map<String, Object> connection) {
        this.connection = connection;
    }

    void work(Results results) throws Exception {
        send(results);
        receive("classic", results);
        receive("consumer", results);
        results.put("messages", COUNT);
    }

    private static byte[] value(long key) {
        return Content.bytes(key, (int) (key % LARGEST_BYTES));
    }

    private void send(Results results) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<Long, byte[]> producer = Settings.producer(connection, "linger.ms", 1)) {
            for (long key = 0; key < COUNT; key++) {
                byte[] value = value(key);
                sent.add(producer.send(new ProducerRecord<>(KafkaClients.ORDERS, (int) (key % 4), key, value)));
                results.toServer(value.length);
            }
        }
        for (int key = 0; key < COUNT; key++) {
            Expect.equal(
                    (long) key / 4, sent.get(key).get().offset(), "offset of message " + key + " in its partition");
        }
    }

    private void receive(String protocol, Results results) {
        long[] next = {0, 1, 2, 3};
        int received = 0;
        try (KafkaConsumer<Long, byte[]> consumer =
                Settings.consumer(connection, "group.id", "readers-" + protocol, "group.protocol", protocol)) {
            consumer.subscribe(List.of(KafkaClients.ORDERS));
            while (received < COUNT) {
                for (ConsumerRecord<Long, byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                    long key = next[message.partition()];
                    Expect.equal(key, message.key(), "next message of partition " + message.partition());
                    Expect.equal(value(key), message.value(), "message " + key);
                    next[message.partition()] = key + 4;
                    received++;
                    results.toClient(message.value().length);
                }
            }
            consumer.commitSync();
        }
    }
}
