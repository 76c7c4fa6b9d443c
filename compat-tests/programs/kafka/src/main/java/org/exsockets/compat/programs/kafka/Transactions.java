package org.exsockets.compat.programs.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Results;

/**
 * Transactions: a reader of what is committed sees neither an open transaction nor an aborted one, another reader sees all.
 * Then messages are copied from one topic to another, with the offsets of what was read, exactly once although one
 * transaction is aborted half-way.
 */
final class Transactions {
    private static final int EACH = 200;
    private static final int COPIED = 2_000;
    private static final int ABORTED_BATCH = 3;
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final Map<String, Object> connection;
    private final List<TopicPartition> copies =
            List.of(new TopicPartition(KafkaClients.COPIES, 0), new TopicPartition(KafkaClients.COPIES, 1));

    Transactions(Map<String, Object> connection) {
        this.connection = connection;
    }

    void work(Results results) throws Exception {
        isolate(results);
        copyOnce(results);
    }

    private void isolate(Results results) throws Exception {
        try (KafkaProducer<Long, byte[]> producer = producer("isolation");
                KafkaConsumer<Long, byte[]> careful = reader("read_committed");
                KafkaConsumer<Long, byte[]> careless = reader("read_uncommitted")) {
            transaction(producer, 0);
            producer.commitTransaction();
            Expect.equal(keys(0), read(careful, EACH), "committed");
            Expect.equal(keys(0), read(careless, EACH), "committed, without isolation");

            transaction(producer, 1);
            producer.flush();
            Expect.equal(keys(1), read(careless, EACH), "open transaction, without isolation");
            Expect.that(careful.poll(Duration.ofMillis(200)).isEmpty(), "an open transaction is seen");
            producer.abortTransaction();

            transaction(producer, 2);
            producer.commitTransaction();
            Expect.equal(keys(2), read(careful, EACH), "committed after an aborted one");
            Expect.equal(keys(2), read(careless, EACH), "committed after an aborted one, without isolation");
        }
        results.put("transactions", 3);
    }

    private KafkaProducer<Long, byte[]> producer(String name) {
        KafkaProducer<Long, byte[]> producer = Settings.producer(connection, "transactional.id", name);
        producer.initTransactions();
        return producer;
    }

    private KafkaConsumer<Long, byte[]> reader(String isolation) {
        return Settings.reader(connection, copies, "isolation.level", isolation);
    }

    private static void transaction(KafkaProducer<Long, byte[]> producer, long number) {
        producer.beginTransaction();
        for (long key = number * EACH; key < (number + 1) * EACH; key++) {
            producer.send(new ProducerRecord<>(KafkaClients.COPIES, (int) (key % 2), key, Content.bytes(key, 100)));
        }
    }

    private static List<Long> keys(long number) {
        List<Long> keys = new ArrayList<>();
        for (long key = number * EACH; key < (number + 1) * EACH; key++) {
            keys.add(key);
        }
        return keys;
    }

    /** Reads so many messages and returns their keys, sorted. */
    private static List<Long> read(KafkaConsumer<Long, byte[]> consumer, int count) {
        List<Long> keys = new ArrayList<>();
        while (keys.size() < count) {
            for (ConsumerRecord<Long, byte[]> message : consumer.poll(A_WHILE)) {
                Expect.equal(Content.bytes(message.key(), 100), message.value(), "message " + message.key());
                keys.add(message.key());
            }
        }
        keys.sort(null);
        return keys;
    }

    private void copyOnce(Results results) throws Exception {
        int copied = 0;
        int batch = 0;
        try (KafkaConsumer<Long, byte[]> source = Settings.consumer(
                        connection,
                        "group.id",
                        "copier",
                        "max.poll.records",
                        250,
                        "isolation.level",
                        "read_committed");
                KafkaProducer<Long, byte[]> target = producer("copier")) {
            source.subscribe(List.of(KafkaClients.ORDERS));
            while (copied < COPIED) {
                var messages = source.poll(A_WHILE);
                if (messages.isEmpty()) {
                    continue;
                }
                target.beginTransaction();
                Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
                for (ConsumerRecord<Long, byte[]> message : messages) {
                    TopicPartition from = new TopicPartition(message.topic(), message.partition());
                    read.put(from, new OffsetAndMetadata(message.offset() + 1));
                    target.send(new ProducerRecord<>(
                            KafkaClients.EXACT_COPIES, message.partition(), message.key(), message.value()));
                }
                if (++batch == ABORTED_BATCH) {
                    target.abortTransaction();
                    source.committed(source.assignment())
                            .forEach((from, at) -> source.seek(from, at == null ? 0 : at.offset()));
                } else {
                    target.sendOffsetsToTransaction(read, source.groupMetadata());
                    target.commitTransaction();
                    copied += messages.count();
                }
            }
        }
        verifyCopies(copied);
        results.put("copied", "once");
    }

    private void verifyCopies(int copied) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            partitions.add(new TopicPartition(KafkaClients.EXACT_COPIES, i));
        }
        long[] next = {0, 1, 2, 3};
        int found = 0;
        try (KafkaConsumer<Long, byte[]> consumer =
                Settings.reader(connection, partitions, "isolation.level", "read_committed")) {
            while (found < copied) {
                for (ConsumerRecord<Long, byte[]> message : consumer.poll(A_WHILE)) {
                    Expect.equal(next[message.partition()], message.key(), "next copy");
                    next[message.partition()] += 4;
                    found++;
                }
            }
        }
    }
}
