/** Apache Kafka: a broker that is its own controller (KRaft), producers, consumers, transactions. */
package org.exsockets.compat.programs.kafka;
