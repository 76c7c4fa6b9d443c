package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The operations in which both ends of a connection move bytes at the same time. How much is under way at any moment depends
 * on the transport; that everything arrives does not. Where not everything does, both ends are closed, and what the writers
 * had done by then is not told. One thread, one operation.
 */
final class Streams {
    private static final long LOOK_MS = 20;

    /** TCP with a small window may wait for a delayed acknowledgement, or for its timer, which takes 200 ms at least. */
    private static final long TIMERS_MS = 500;

    private final Conductor conductor;
    private final Operation operation;
    private final String one;
    private final String other;
    private final String processOfOne;
    private final String processOfOther;

    /** Counts of an end's bytes. */
    private record Counts(long sent, long received, long filled) {}

    /** One end's part. */
    private record Transfer(String verb, CompletableFuture<String> outcome) {
        /** Returns the outcome of one that is over. */
        String text() throws InterruptedException {
            try {
                return outcome.get();
            } catch (ExecutionException e) {
                throw new Conductor.Unfinished(
                        "a process has died: " + e.getCause().getMessage());
            }
        }
    }

    Streams(Conductor conductor, Operation operation) {
        this.conductor = conductor;
        this.operation = operation;
        this.one = operation.object();
        this.other = operation.argument(0);
        this.processOfOne = operation.process();
        this.processOfOther = conductor.processOf(other);
    }

    /** Runs the operation and tells what was observed. */
    String run() throws IOException, InterruptedException {
        if (processOfOther == null) {
            return "no such object";
        }
        if (conductor.isBusy(one) || conductor.isBusy(other)) {
            return "in use"; // Who of several readers gets which bytes would depend on the moment.
        }
        if (conductor.isSelecting(processOfOne) || conductor.isSelecting(processOfOther)) {
            return "a selection waits"; // So would what it finds.
        }
        Counts ofOne = counts(processOfOne, one);
        Counts ofOther = counts(processOfOther, other);
        if (ofOne == null || ofOther == null || !areLinked()) {
            return "not two ends"; // What a third one finds afterwards would depend on how much a transport holds.
        }
        return switch (operation.verb()) {
            case "stream" -> stream(ofOne, ofOther);
            case "duplex" -> duplex(ofOne, ofOther);
            default -> brim(ofOne, ofOther);
        };
    }

    private boolean areLinked() throws IOException, InterruptedException {
        String[] ofOne = conductor.control(processOfOne, one, "ports").split(" ");
        String[] ofOther = conductor.control(processOfOther, other, "ports").split(" ");
        return ofOne.length == 2 && ofOther.length == 2 && ofOne[0].equals(ofOther[1]) && ofOne[1].equals(ofOther[0]);
    }

    private Counts counts(String process, String object) throws IOException, InterruptedException {
        String[] words = conductor.control(process, object, "counts").split(" ");
        return words.length == 3 && words[0].matches("\\d+")
                ? new Counts(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]))
                : null;
    }

    /** Arguments: peer, bytes, kind and size of the writer's buffers, kind and size of the reader's. */
    private String stream(Counts writer, Counts reader) throws IOException, InterruptedException {
        long size = Long.parseLong(operation.argument(1));
        return all(List.of(
                put(processOfOne, one, size, operation.argument(2), operation.argument(3)),
                take(
                        processOfOther,
                        other,
                        writer.sent() - reader.received() + size,
                        operation.argument(4),
                        operation.argument(5))));
    }

    /** Arguments: peer, bytes one way, bytes the other way, kind and size of all buffers. */
    private String duplex(Counts first, Counts second) throws IOException, InterruptedException {
        long there = Long.parseLong(operation.argument(1));
        long back = Long.parseLong(operation.argument(2));
        String kind = operation.argument(3);
        String piece = operation.argument(4);
        return all(List.of(
                put(processOfOne, one, there, kind, piece),
                take(processOfOther, other, first.sent() - second.received() + there, kind, piece),
                put(processOfOther, other, back, kind, piece),
                take(processOfOne, one, second.sent() - first.received() + back, kind, piece)));
    }

    /** Fills a non-blocking channel until it takes no more, and has the peer take everything. Arguments: peer. */
    private String brim(Counts writer, Counts reader) throws IOException, InterruptedException {
        String full = all(List.of(begin(processOfOne, one, "fill")));
        if (!full.equals("full")) {
            return full;
        }
        String before = all(List.of(begin(processOfOne, one, "room", "now")));
        Counts filled = counts(processOfOne, one);
        long unread = writer.sent() - reader.received();
        String drained = all(List.of(begin(processOfOther, other, "drain", unread, filled.filled(), one)));
        if (!drained.endsWith("filling")) {
            return "full, " + before + "; " + drained + " " + cut(List.of(), CompletableFuture.completedFuture(null));
        }
        return "full, " + before + "; " + drained + ", " + all(List.of(begin(processOfOne, one, "room", "later")));
    }

    private Transfer put(String process, String object, long size, String kind, String piece) throws IOException {
        return begin(process, object, "put", size, kind, piece);
    }

    private Transfer take(String process, String object, long size, String kind, String piece) throws IOException {
        return begin(process, object, "take", size, kind, piece);
    }

    private Transfer begin(String process, String object, String verb, Object... arguments) throws IOException {
        return new Transfer(verb, conductor.startBeside(process, verb + "-" + object, object, verb, arguments));
    }

    /** Waits for all, and tells what they have observed. */
    private String all(List<Transfer> transfers) throws IOException, InterruptedException {
        CompletableFuture<Void> over = CompletableFuture.allOf(
                transfers.stream().map(Transfer::outcome).toArray(CompletableFuture<?>[]::new));
        while (!isOver(over, LOOK_MS)) {
            conductor.awaitQuiet();
            if (!over.isDone() && (anyFailed(transfers) || isStuck(over))) {
                return cut(transfers, over);
            }
        }
        List<String> outcomes = new ArrayList<>();
        for (Transfer transfer : transfers) {
            outcomes.add(transfer.text());
        }
        return outcomes.stream().anyMatch(Streams::failed) ? cut(transfers, over) : String.join("; ", outcomes);
    }

    private static boolean anyFailed(List<Transfer> transfers) throws InterruptedException {
        for (Transfer transfer : transfers) {
            if (transfer.outcome().isDone() && failed(transfer.text())) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether nothing moves for longer than a timer of TCP may take. */
    private boolean isStuck(CompletableFuture<Void> over) throws IOException, InterruptedException {
        String before = moved();
        return !isOver(over, TIMERS_MS) && moved().equals(before);
    }

    private String moved() throws IOException, InterruptedException {
        return conductor.control(processOfOne, one, "moved") + " " + conductor.control(processOfOther, other, "moved");
    }

    private static boolean failed(String outcome) {
        return outcome.startsWith("!") || outcome.endsWith("end of stream");
    }

    private static boolean isOver(CompletableFuture<Void> over, long waitMs) throws InterruptedException {
        try {
            over.get(waitMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException died) {
            return true;
        }
    }

    /** Closes both ends and tells how those have failed that do not depend on how much the transport holds: not writers. */
    private String cut(List<Transfer> transfers, CompletableFuture<Void> over)
            throws IOException, InterruptedException {
        conductor.awaitQuiet();
        List<String> outcomes = new ArrayList<>();
        for (Transfer transfer : transfers) {
            if (!transfer.verb().equals("put") && transfer.outcome().isDone() && failed(transfer.text())) {
                outcomes.add(transfer.text());
            }
        }
        conductor.control(processOfOne, one, "close");
        conductor.control(processOfOther, other, "close");
        conductor.awaitQuiet();
        if (!over.isDone()) {
            throw new Conductor.Unfinished("a transfer does not end with its sockets: " + operation);
        }
        return outcomes + " cut";
    }
}
