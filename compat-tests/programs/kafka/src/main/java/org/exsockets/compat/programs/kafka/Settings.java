package org.exsockets.compat.programs.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;

/** Producers and consumers of messages whose keys are numbers. Stateless. */
final class Settings {
    private Settings() {}

    static KafkaProducer<Long, byte[]> producer(Map<String, Object> connection, Object... more) {
        Map<String, Object> settings = with(connection, more);
        settings.put("acks", "all");
        settings.put("max.request.size", KafkaBroker.LARGEST_MESSAGE_BYTES);
        settings.put("buffer.memory", 4L * KafkaBroker.LARGEST_MESSAGE_BYTES);
        return new KafkaProducer<>(settings, new LongSerializer(), new ByteArraySerializer());
    }

    static KafkaConsumer<Long, byte[]> consumer(Map<String, Object> connection, Object... more) {
        Map<String, Object> settings = with(connection, more);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        settings.put("max.partition.fetch.bytes", KafkaBroker.LARGEST_MESSAGE_BYTES);
        return new KafkaConsumer<>(settings, new LongDeserializer(), new ByteArrayDeserializer());
    }

    /** {@return a consumer of these partitions, from their beginning} */
    static KafkaConsumer<Long, byte[]> reader(
            Map<String, Object> connection, Collection<TopicPartition> partitions, Object... more) {
        KafkaConsumer<Long, byte[]> consumer = consumer(connection, more);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }

    private static Map<String, Object> with(Map<String, Object> connection, Object... more) {
        Map<String, Object> settings = new HashMap<>(connection);
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
        return settings;
    }
}
