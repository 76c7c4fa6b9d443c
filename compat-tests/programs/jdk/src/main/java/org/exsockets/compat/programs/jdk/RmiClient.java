package org.exsockets.compat.programs.jdk;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.Results;

/** Calls of several threads, large arguments and results, calls back, exceptions. Argument: the registry's port. */
public final class RmiClient {
    private static final int THREADS = 4;
    private static final int ENTRIES = 300;
    private static final int LARGE_BYTES = 5_000_000;

    private RmiClient() {}

    public static void main(String[] arguments) {
        Driver.work(results -> {
            Registry registry = LocateRegistry.getRegistry(Ports.HOST, Integer.parseInt(arguments[0]));
            List<String> names = new ArrayList<>(List.of(registry.list()));
            Collections.sort(names);
            Expect.equal(List.of("plain", "tls"), names, "names in the registry");
            use((Ledger) registry.lookup("plain"), results);
            use((Ledger) registry.lookup("tls"), results);
            results.put("entries", 2 * THREADS * ENTRIES);
        });
    }

    private static void use(Ledger ledger, Results results) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> done = new ArrayList<>();
        List<String> added = Collections.synchronizedList(new ArrayList<>());
        for (int thread = 0; thread < THREADS; thread++) {
            String name = "thread " + thread;
            done.add(threads.submit(() -> {
                for (int i = 0; i < ENTRIES; i++) {
                    String entry = name + ", entry " + i + ": " + Content.text(i, 50);
                    ledger.add(entry);
                    added.add(entry);
                }
                return null;
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();
        Collections.sort(added);
        Expect.equal(added, sorted(ledger.entries()), "entries");
        large(ledger, results);
        callBack(ledger, added);
        try {
            ledger.fail();
            throw new AssertionError("the call did not fail");
        } catch (IllegalStateException e) {
            Expect.equal("as it must", e.getMessage(), "message of the exception");
        }
    }

    private static void large(Ledger ledger, Results results) throws Exception {
        byte[] content = Content.bytes(LARGE_BYTES, LARGE_BYTES);
        Expect.equal(Content.hash(content), ledger.hash(content), "digest of a large argument");
        results.toServer(LARGE_BYTES);
        Expect.equal(content, ledger.content(LARGE_BYTES), "large result");
        results.toClient(LARGE_BYTES);
    }

    private static void callBack(Ledger ledger, List<String> expected) throws Exception {
        List<String> read = Collections.synchronizedList(new ArrayList<>());
        Ledger.Reader reader = read::add;
        ledger.forEach((Ledger.Reader) UnicastRemoteObject.exportObject(reader, 0));
        UnicastRemoteObject.unexportObject(reader, true);
        Expect.equal(expected, sorted(read), "entries called back");
    }

    private static List<String> sorted(List<String> list) {
        List<String> sorted = new ArrayList<>(list);
        Collections.sort(sorted);
        return sorted;
    }
}
