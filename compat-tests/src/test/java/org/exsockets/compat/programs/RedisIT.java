package org.exsockets.compat.programs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Jedis with a real Redis. */
final class RedisIT extends NativeServerTest {
    private static final Path REDIS = Path.of("/usr/bin/redis-server");

    RedisIT() {
        super(new Driver("jedis", "RedisClient"));
    }

    @Override
    Serving start(Path directory) throws Exception {
        assumeTrue(Files.isExecutable(REDIS), "there is no redis-server; rxe/install installs it");
        String port = Integer.toString(NativeServer.unusedPort());
        List<String> command =
                List.of(REDIS.toString(), "--bind", "127.0.0.1", "--port", port, "--save", "", "--daemonize", "no");
        return new Serving(
                new NativeServer(command, directory.resolve("redis.log"), "eady to accept connections"), List.of(port));
    }
}
