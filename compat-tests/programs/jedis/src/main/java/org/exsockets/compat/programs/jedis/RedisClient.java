package org.exsockets.compat.programs.jedis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.Results;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;

/** Commands one by one and in pipelines, large values, a transaction, a subscription. Argument: the server's port. */
public final class RedisClient {
    private static final int KEYS = 2_000;
    private static final int LARGE_BYTES = 8_000_000;
    private static final long LIMIT_SECONDS = 60;

    private RedisClient() {}

    public static void main(String[] arguments) {
        int port = Integer.parseInt(arguments[0]);
        Driver.work(results -> {
            try (Jedis jedis = new Jedis(Ports.HOST, port)) {
                commands(jedis);
                pipeline(jedis);
                large(jedis, results);
                Transaction transaction = jedis.multi();
                Response<Long> first = transaction.incr("counter");
                Response<Long> second = transaction.incr("counter");
                transaction.exec();
                Expect.equal(1L, first.get(), "counter in the transaction");
                Expect.equal(2L, second.get(), "counter in the transaction, once more");
                subscribe(jedis, port);
            }
            results.put("keys", KEYS);
        });
    }

    private static void commands(Jedis jedis) {
        for (int i = 0; i < KEYS; i++) {
            Expect.equal("OK", jedis.set("key " + i, Content.text(i, 50)), "answer to set");
        }
        for (int i = 0; i < KEYS; i++) {
            Expect.equal(Content.text(i, 50), jedis.get("key " + i), "value " + i);
        }
    }

    private static void pipeline(Jedis jedis) {
        List<Response<String>> answers = new ArrayList<>();
        try (Pipeline pipeline = jedis.pipelined()) {
            for (int i = 0; i < KEYS; i++) {
                answers.add(pipeline.get("key " + i));
            }
            pipeline.sync();
        }
        for (int i = 0; i < KEYS; i++) {
            Expect.equal(Content.text(i, 50), answers.get(i).get(), "value " + i + " in a pipeline");
        }
    }

    private static void large(Jedis jedis, Results results) {
        byte[] key = "large".getBytes(StandardCharsets.US_ASCII);
        byte[] value = Content.bytes(1, LARGE_BYTES);
        jedis.set(key, value);
        Expect.equal(value, jedis.get(key), "large value");
        results.toServer(LARGE_BYTES);
        results.toClient(LARGE_BYTES);
    }

    private static void subscribe(Jedis publisher, int port) throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        JedisPubSub subscription = new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int subscriptions) {
                heard.add("subscribed");
            }

            @Override
            public void onMessage(String channel, String message) {
                heard.add(message);
            }
        };
        Thread listener = new Thread(() -> {
            try (Jedis jedis = new Jedis(Ports.HOST, port)) {
                jedis.subscribe(subscription, "news");
            }
        });
        listener.start();
        Expect.equal("subscribed", heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS), "answer to subscribe");
        for (int i = 0; i < 100; i++) {
            publisher.publish("news", "message " + i);
        }
        for (int i = 0; i < 100; i++) {
            Expect.equal("message " + i, heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS), "what is heard");
        }
        subscription.unsubscribe();
        listener.join();
    }
}
