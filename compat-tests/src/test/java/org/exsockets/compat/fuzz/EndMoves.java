package org.exsockets.compat.fuzz;

import java.util.ArrayList;
import java.util.List;

/** The operations on ends of connections; see {@link Moves}. Used by one thread, for one program. */
final class EndMoves {
    private final Generator generator;
    private final Moves moves;

    EndMoves(Generator generator, Moves moves) {
        this.generator = generator;
        this.moves = moves;
    }

    /** Appends operations on that end. */
    void add(Known end) {
        int choice = generator.random().nextInt(100);
        if (choice < 30) {
            read(end);
        } else if (choice < 58) {
            write(end);
        } else if (choice < 64) {
            shutdownOrClose(end);
        } else if (choice < 76) {
            stream(end);
        } else if (choice < 84) {
            options(end);
        } else if (choice < 90) {
            generator.add(end, generator.chance(75) ? "state" : Moves.adaptor(end) + "state");
        } else if (choice < 96) {
            mode(end);
        } else {
            odd(end);
        }
    }

    private void mode(Known end) {
        if (end.selectable()) {
            end.nonBlocking = generator.chance(60);
            generator.add(end, "blocking", !end.nonBlocking);
        } else if (!end.asynchronous()) {
            end.timed = true;
            generator.add(end, "timeout", generator.pick(0, 20, 20, 30000));
        }
    }

    private int size() {
        return generator.pick(0, 1, 2, 7, 100, 100, 1000, 1000, 4096, 5000);
    }

    private Object[] buffers(boolean reading, int total) {
        String[] kinds = {"heap", "direct", "slice", "array", "middle"};
        int count = generator.chance(25) ? 2 + generator.random().nextInt(3) : 1;
        List<Object> arguments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean readOnly = generator.chance(reading ? 2 : 10);
            arguments.add(readOnly ? generator.pick("ro", "dro") : generator.pick(kinds));
            arguments.add(i == 0 ? total / count + total % count : total / count);
        }
        return arguments.toArray();
    }

    private void read(Known end) {
        int number;
        if (end.asynchronous()) {
            number = switch (generator.random().nextInt(5)) {
                case 0 -> generator.add(end, "futureread", "heap", size());
                case 1 -> timed(end);
                default -> generator.add(end, "read", buffers(true, size()));
            };
        } else if (end.kind.equals("net") || generator.chance(15)) {
            String adaptor = Moves.adaptor(end);
            number = switch (generator.random().nextInt(8)) {
                case 0 -> generator.add(end, adaptor + "readone");
                case 1 -> generator.add(end, adaptor + "available");
                case 2 -> generator.add(end, adaptor + "skip", size());
                case 3 -> generator.add(end, adaptor + "readn", size());
                default -> generator.add(end, adaptor + "read", "heap", size());
            };
        } else {
            number = generator.add(end, "read", buffers(true, size()));
        }
        moves.mayBlock(end, number, "read");
    }

    private int timed(Known end) {
        List<Object> arguments = new ArrayList<>(List.of(generator.pick(20, 30000)));
        arguments.addAll(List.of(buffers(true, size())));
        return generator.add(end, "timedread", arguments.toArray());
    }

    private void write(Known end) {
        if (generator.chance(6) && !end.streamed && !end.flooded && !end.nonBlocking && !end.urgent) {
            end.flooded = true;
            // An asynchronous write that has written a part is complete: only all of it blocks.
            int number = end.asynchronous()
                    ? generator.add(end, "put", Moves.FLOOD_BYTES, generator.pick("heap", "direct"), Moves.FLOOD_BYTES)
                    : generator.add(end, "write", generator.pick("heap", "direct"), Moves.FLOOD_BYTES);
            moves.mayBlock(end, number, "write");
            return;
        }
        int size = Math.min(size() + generator.pick(0, 0, 3000), end.budgetBytes);
        end.budgetBytes -= size;
        if (end.kind.equals("net") || end.selectable() && generator.chance(15)) {
            generator.add(end, Moves.adaptor(end) + "write", "heap", size);
        } else {
            generator.add(end, "write", buffers(false, size));
        }
    }

    private void shutdownOrClose(Known end) {
        if ((end.nonBlocking || end.registered) && end.peer != null && end.peer.flooded) {
            return; // The peer's writer would be told when selectors select, or at once over EXS.
        }
        String adaptor = generator.chance(30) ? Moves.adaptor(end) : "";
        switch (generator.random().nextInt(8)) {
            case 0, 1 -> {
                end.outputShut = true;
                generator.add(end, adaptor + "shutout");
            }
            case 2 -> {
                end.inputShut = true;
                generator.add(end, adaptor + "shutin");
            }
            case 3 -> {
                if (end.registered) {
                    return; // So would whoever reads there.
                }
                linger(end, 0);
                generator.add(end, adaptor + "close");
            }
            case 4 -> {
                if (!end.flooded) {
                    linger(end, 1);
                    generator.add(end, "close");
                }
            }
            default -> generator.add(end, adaptor + "close");
        }
        if (end.inputShut && end.outputShut) {
            generator.add(end, "close");
        }
        moves.selectAfterClose(end);
        if (end.peer != null && generator.chance(50)) {
            generator.add(end.peer, "toend", end.name, generator.pick("heap", "direct"));
        }
    }

    private void linger(Known end, int seconds) {
        if (end.asynchronous()) {
            return;
        }
        if (end.selectable() && generator.chance(70)) {
            generator.add(end, "set", "SO_LINGER", seconds);
        } else {
            generator.add(end, Moves.adaptor(end) + "linger", seconds);
        }
    }

    private void stream(Known end) {
        Known peer = end.peer;
        if (peer == null || end.urgent || peer.urgent || end.flooded || peer.flooded || end.timed || peer.timed) {
            return;
        }
        int size = generator.pick(1000, 60_000, 60_000, 300_000, 300_000, 1 << 20, 3_000_000, 8 << 20);
        int piece = generator.pick(4096, 65_536, 100_000, 1 << 20, 8 << 20);
        end.streamed = true;
        if (end.selectable() && end.nonBlocking && generator.chance(40)) {
            generator.add(end, "brim", peer.name);
        } else if (generator.chance(30)) {
            peer.streamed = true;
            int back = generator.pick(1, 5000, 300_000, 1 << 20);
            generator.add(
                    end, "duplex", peer.name, size, back, generator.pick("heap", "direct"), Math.max(piece, 65_536));
        } else {
            generator.add(
                    end,
                    "stream",
                    peer.name,
                    size,
                    generator.pick("heap", "direct", "slice"),
                    Math.max(piece, size / 100),
                    generator.pick("heap", "direct", "slice"),
                    Math.max(generator.pick(4096, 65_536, 1 << 20, 8 << 20), size / 100));
        }
    }

    private void options(Known end) {
        String name = generator.pick(
                "SO_RCVBUF", "SO_SNDBUF", "SO_KEEPALIVE", "SO_REUSEADDR", "SO_LINGER", "TCP_NODELAY", "IP_TOS");
        String adaptor = generator.chance(30) ? Moves.adaptor(end) : "";
        if (generator.chance(50)) {
            generator.add(end, adaptor + "get", name);
            return;
        }
        switch (generator.random().nextInt(6)) {
            case 0 -> generator.add(end, adaptor + "set", generator.pick("SO_RCVBUF", "SO_SNDBUF"), 100_000);
            case 1 -> generator.add(end, adaptor + "set", "SO_KEEPALIVE", generator.pick("true", "false"));
            case 2 -> generator.add(end, adaptor + "set", "SO_REUSEADDR", generator.pick("true", "false"));
            case 3 -> generator.add(end, adaptor + "set", "TCP_NODELAY", "true");
            case 4 -> generator.add(end, adaptor + "set", "IP_TOS", generator.pick(0, 16, 300));
            default -> generator.add(end, adaptor + "options");
        }
    }

    /** What programs seldom do. */
    private void odd(Known end) {
        switch (generator.random().nextInt(9)) {
            case 0 -> generator.add(end, "connect", generator.pick("nowhere", "unresolved", "null"));
            case 1 -> generator.add(end, "bind", "any");
            case 2 -> {
                if (end.selectable()) {
                    generator.add(end, "finish");
                }
            }
            case 3 -> generator.add(end, Moves.adaptor(end) + "inline", generator.pick("true", "false"));
            case 4 -> {
                if (end.kind.equals("net")) {
                    generator.add(end, "closein");
                }
            }
            default -> {
                if (!end.asynchronous() && !end.urgent && !end.flooded && !end.streamed) {
                    end.urgent = true;
                    generator.add(
                            end,
                            Moves.adaptor(end) + "urgent",
                            generator.random().nextInt(256));
                }
            }
        }
    }

    /** A client that meets no listener, or is not connected. */
    void lonely() {
        Known client = generator.open(generator.pick("net", "nio", "aio"), generator.process());
        if (client.selectable() && generator.chance(40)) {
            client.nonBlocking = true;
            generator.add(client, "blocking", "false");
        }
        if (generator.chance(40)) {
            generator.add(client, "bind", generator.pick("any", "wild", "null"));
        }
        if (generator.chance(70)) {
            generator.add(client, "connect", generator.pick("nowhere", "nowhere", "unresolved", "null"));
        }
        if (generator.chance(50)) {
            generator.add(client, generator.pick("shutin", "shutout", "state", "finish"));
        }
    }
}
