package org.exsockets.compat.programs.kafka;

import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/**
 * One broker and controller, with its logs in the working directory, as Kafka's own start script has it: its storage is
 * formatted, then it is started. Serves without TLS, which lets it send files, and with it.
 */
public final class KafkaBroker {
    static final int LARGEST_MESSAGE_BYTES = 12 << 20;

    private KafkaBroker() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            int plain = Ports.unused();
            int tls = Ports.unused();
            Properties settings = settings(plain, tls, Ports.unused());
            format(settings);
            KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
            server.startup();
            return new Driver.Running(
                    () -> {
                        server.shutdown();
                        server.awaitShutdown();
                    },
                    plain,
                    tls);
        });
    }

    private static Properties settings(int plain, int tls, int controller) {
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put(
                "listeners",
                "PLAINTEXT://" + Ports.HOST + ":" + plain + ",SSL://" + Ports.HOST + ":" + tls + ",CONTROLLER://"
                        + Ports.HOST + ":" + controller);
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,SSL:SSL,CONTROLLER:PLAINTEXT");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("controller.quorum.voters", "1@" + Ports.HOST + ":" + controller);
        settings.put("ssl.keystore.location", System.getProperty("javax.net.ssl.keyStore"));
        settings.put("ssl.keystore.password", System.getProperty("javax.net.ssl.keyStorePassword"));
        settings.put("log.dirs", Path.of("logs").toAbsolutePath().toString());
        settings.put("message.max.bytes", Integer.toString(LARGEST_MESSAGE_BYTES));
        settings.put("num.partitions", "4");
        settings.put("offsets.topic.num.partitions", "2");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("transaction.state.log.num.partitions", "2");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        return settings;
    }

    private static void format(Properties settings) throws IOException {
        Path file = Path.of("server.properties");
        try (Writer out = new FileWriter(file.toFile())) {
            settings.store(out, null);
        }
        String[] command = {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()};
        int failed = StorageTool.execute(command, new PrintStream(System.err));
        if (failed != 0) {
            throw new IOException("storage: not formatted: code=" + failed);
        }
    }
}
