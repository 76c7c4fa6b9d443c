package org.exsockets.compat.programs.jdk;

import java.net.URI;
import java.net.http.HttpClient;
import org.exsockets.compat.programs.driver.Driver;

/**
 * The JDK's web clients against any of the servers. Each argument is KIND=ADDRESS: {@code h1} and {@code h2} are the {@code
 * HttpClient} with HTTP/1.1 and HTTP/2, {@code old} is {@code HttpURLConnection}, {@code ws} is a WebSocket.
 */
public final class WebClients {
    private WebClients() {}

    public static void main(String[] arguments) {
        Driver.work(results -> {
            int number = 0;
            for (String argument : arguments) {
                String[] words = argument.split("=", 2);
                URI base = URI.create(words[1]);
                switch (words[0]) {
                    case "h1" -> new NewClient(base, HttpClient.Version.HTTP_1_1).work(results);
                    case "h2" -> new NewClient(base, HttpClient.Version.HTTP_2).work(results);
                    case "old" -> new OldClient(base).work(results);
                    case "ws" -> new WebSocketClient(base).work(results);
                    default -> throw new IllegalArgumentException(argument);
                }
                results.put(++number + "-" + words[0] + "-" + base.getScheme(), "done");
            }
        });
    }
}
