package org.exsockets.compat.programs.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Results;

/**
 * Messages of up to 10 MB. The broker sends them from its log by a file channel's {@code transferTo} where the consumer
 * comes without TLS, and through an {@code SSLEngine} where it comes with it.
 */
final class LargeMessages {
    private static final int[] LENGTHS_BYTES = {1 << 20, 10_000_000, 1, 131_073, 3_333_333};

    private final Map<String, Object> plain;
    private final Map<String, Object> tls;

    LargeMessages(Map<String, Object> plain, Map<String, Object> tls) {
        this.plain = plain;
        this.tls = tls;
    }

    void work(Results results) throws Exception {
        send(plain, 0, results);
        send(tls, LENGTHS_BYTES.length, results);
        results.put("large", receive(plain, results));
        results.put("large-tls", receive(tls, results));
    }

    private static void send(Map<String, Object> connection, long first, Results results) throws Exception {
        try (KafkaProducer<Long, byte[]> producer = Settings.producer(connection)) {
            for (int i = 0; i < LENGTHS_BYTES.length; i++) {
                byte[] value = Content.bytes(first + i, LENGTHS_BYTES[i]);
                producer.send(new ProducerRecord<>(KafkaClients.LARGE, first + i, value))
                        .get();
                results.toServer(value.length);
            }
        }
    }

    private static String receive(Map<String, Object> connection, Results results) {
        var all = Content.digest();
        int received = 0;
        List<TopicPartition> partitions = List.of(new TopicPartition(KafkaClients.LARGE, 0));
        try (KafkaConsumer<Long, byte[]> consumer = Settings.reader(connection, partitions)) {
            while (received < 2 * LENGTHS_BYTES.length) {
                for (ConsumerRecord<Long, byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                    byte[] sent = Content.bytes(received, LENGTHS_BYTES[received % LENGTHS_BYTES.length]);
                    Expect.equal(sent, message.value(), "large message " + received);
                    all.update(message.value());
                    received++;
                    results.toClient(message.value().length);
                }
            }
        }
        return Content.hex(all);
    }
}
