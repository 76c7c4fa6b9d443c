package org.exsockets.bench.demo.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The conversation between a client and the demonstration.
 *
 * <p>The client prints {@code READY}; each input line {@code run STEP OPERATIONS ROUND} is answered with the line of a
 * {@link StepResult}; {@code quit} or end of input ends it. Any failure ends the JVM with exit code 1 and a stack trace
 * on standard error.
 */
final class ClientOrders {
    private ClientOrders() {}

    /** A client's steps. Called by one thread only, the client's main thread. */
    interface Steps {
        /**
         * Runs a step and verifies what it received.
         *
         * @param step the step's name
         * @param operations how many operations in all
         * @param round counts the orders for this step, from 0
         * @throws Exception if the program fails or an answer is not what it must be
         */
        StepResult run(String step, int operations, int round) throws Exception;

        /** Closes what is open between steps, before the JVM ends. */
        default void close() throws Exception {}
    }

    /** Follows orders until told to quit, then ends the JVM. */
    static void follow(Steps steps) {
        try {
            answer(steps);
            steps.close();
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    private static void answer(Steps steps) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("READY");
        for (String order = orders.readLine(); order != null && !order.equals("quit"); order = orders.readLine()) {
            String[] words = order.split(" ");
            if (words.length != 4 || !words[0].equals("run")) {
                throw new IOException("order not understood: " + order);
            }
            StepResult result = steps.run(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            System.out.println(result.toLine());
        }
    }
}
