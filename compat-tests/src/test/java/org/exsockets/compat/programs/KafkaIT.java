package org.exsockets.compat.programs;

/** Apache Kafka: messages, sent by the broker from its files, TLS, groups, transactions. */
final class KafkaIT extends ProgramTest {
    KafkaIT() {
        super(new Driver("kafka", "KafkaBroker"), new Driver("kafka", "KafkaClients"));
    }
}
