package org.exsockets.verbs.soft;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The private directory of a user, {@code /dev/shm/exs-UID}, mode 0700, and the names in it.
 *
 * <ul>
 *   <li>{@code k PIDNS-PID-START-SERIAL}: the Unix-domain socket of a listener, named after its process.
 *   <li>{@code n PIDNS-PID-START-SERIAL}: the {@link Knocker} of the listener whose socket has this number.
 *   <li>{@code l LAYOUT.VERSION-NETNS-ADDRESS-PORT}: a link to the socket of the listener there. ADDRESS is the address
 *       in hexadecimal, {@code any4} for a wildcard that IPv4 reaches, {@code any6} for one that both reach.
 *   <li>{@code s PIDNS-PID-START-SERIAL}: a segment, or a region that a connection has got beyond its segment, named
 *       after the process that has created it.
 *   <li>{@code a PIDNS-PID-START-NUMBER}: an {@link Arena} of this process.
 *   <li>{@code z PIDNS-PID-START-0}: the {@link SleepSigns} of this process.
 *   <li>{@code o PIDNS-PID-START-SERIAL}: for a moment, the link of a dead process' listener that this process is removing.
 * </ul>
 *
 * What a process that was killed has left is removed when the next one starts to use the directory.
 */
final class SoftDirectory {
    private static final int PERMISSION_BITS = 0777;
    private static final int OWNER_ONLY = 0700;
    private static final int RESERVE_DIVISOR = 4;
    private static final int NAME_PARTS = 4;
    private static final int SERIAL_BITS = 20;
    private static final long MAX_SERIAL_BASE = (1L << 20) - 1;

    private final Path path;
    private final ProcessIdentity identity;
    private final UserPrincipal owner;

    /** What names of this process have in common, behind the letter that tells their kind. */
    private final String ownNames;

    /** Begins anywhere: a JVM may hold this class twice, in two class loaders, and each opens the directory. */
    private final AtomicLong serial = new AtomicLong((System.nanoTime() & MAX_SERIAL_BASE) << SERIAL_BITS);

    private SoftDirectory(Path path, ProcessIdentity identity) throws IOException {
        this.path = path;
        this.identity = identity;
        this.owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
        this.ownNames = Long.toHexString(identity.processNamespace()) + "-" + identity.pid() + "-"
                + Long.toHexString(identity.startTicks()) + "-";
    }

    /**
     * Opens the directory of the effective user, creating it if need be.
     *
     * @throws IOException if it is not a directory of this user with mode 0700; it is then not used
     */
    static SoftDirectory open(Path memoryFileSystem) throws IOException {
        ProcessIdentity identity = ProcessIdentity.own();
        Path path = memoryFileSystem.resolve("exs-" + identity.uid());
        try {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException another) {
            // Of an earlier process, or somebody's trap: checked below either way.
        }
        Map<String, Object> attributes =
                Files.readAttributes(path, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
        if (!(Boolean) attributes.get("isDirectory")
                || ((Number) attributes.get("uid")).longValue() != identity.uid()
                || ((Integer) attributes.get("mode") & PERMISSION_BITS) != OWNER_ONLY) {
            throw new IOException("private directory: not a directory of this user with mode 0700: path=" + path
                    + ", uid=" + attributes.get("uid") + ", mode="
                    + Integer.toOctalString((Integer) attributes.get("mode") & PERMISSION_BITS));
        }
        SoftDirectory directory = new SoftDirectory(path, identity);
        directory.removeLeftovers();
        return directory;
    }

    /** {@return the user whose processes may connect} */
    UserPrincipal owner() {
        return owner;
    }

    /** {@return a fresh name for a segment} */
    String newSegmentName() {
        return "s" + ownNames + Long.toHexString(serial.getAndIncrement());
    }

    /** {@return a fresh file for a listener's socket} */
    Path newSocket() {
        return path.resolve("k" + ownNames + Long.toHexString(serial.getAndIncrement()));
    }

    /**
     * {@return the file of a segment}
     *
     * @throws IOException if {@code name} is not one as {@link #newSegmentName} makes them
     */
    Path segment(String name) throws IOException {
        if (!isSegmentName(name)) {
            throw new IOException("segment: not a segment name: " + name);
        }
        return path.resolve(name);
    }

    /** As {@link #newSegmentName} makes them: whoever reads the owner from a name finds all its parts. */
    private static boolean isSegmentName(String name) {
        String[] parts = name.split("-", -1);
        boolean good = parts.length == NAME_PARTS && name.startsWith("s");
        for (int i = 0; good && i < NAME_PARTS; i++) {
            good = isHexadecimal(i == 0 ? parts[i].substring(1) : parts[i]);
        }
        return good;
    }

    private static boolean isHexadecimal(String digits) {
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return !digits.isEmpty();
    }

    /** {@return what the names of this process's arenas have in common, before the number} */
    String ownArenas() {
        return "a" + ownNames;
    }

    /** {@return the file of an arena of this process} */
    Path ownArena(int number) {
        return path.resolve(ownArenas() + Integer.toHexString(number));
    }

    /**
     * {@return the file of a peer's arena}
     *
     * @param names what the peer says of the names of its arenas
     * @throws IOException if that cannot be
     */
    Path arena(String names, int number) throws IOException {
        return ofPeer(names, 'a', Integer.toHexString(number));
    }

    /** {@return the file of this process's {@link SleepSigns}} */
    Path ownSigns() {
        return path.resolve("z" + ownNames + "0");
    }

    /**
     * {@return the file of a peer's {@link SleepSigns}}
     *
     * @param names as for {@link #arena}
     * @throws IOException if that cannot be
     */
    Path signs(String names) throws IOException {
        return ofPeer(names, 'z', "0");
    }

    private Path ofPeer(String names, char letter, String number) throws IOException {
        if (!names.startsWith("a") || !names.endsWith("-") || names.indexOf('/') >= 0) {
            throw new IOException("arena: not a name of arenas: " + names);
        }
        try {
            return path.resolve(letter + names.substring(1) + number);
        } catch (InvalidPathException e) {
            throw new IOException("arena: not a name of arenas: " + e.getMessage(), e);
        }
    }

    /**
     * {@return whether memory may be taken that a connection can do without: a quarter of the memory file system is left
     * for new connections and for others}
     */
    boolean hasRoomFor(long lengthBytes) {
        File root = path.toFile();
        return root.getUsableSpace() - lengthBytes >= root.getTotalSpace() / RESERVE_DIVISOR;
    }

    /** Removes a segment's name; the memory stays with who has mapped it. */
    void deleteSegment(String name) {
        // Often it is gone already; java.io.File says so without building an exception.
        new File(path.toString(), name).delete();
    }

    /** {@return whether the process after which a segment or socket is named lives, as far as can be told} */
    boolean ownerLives(String name) {
        String[] parts = name.split("-");
        boolean sameNamespace = name.startsWith(Long.toHexString(identity.processNamespace()) + "-", 1);
        return !sameNamespace || parts.length != NAME_PARTS || lives(parts[1], parts[2]);
    }

    /** {@return the name of a listener on exactly this address} */
    Path listener(InetSocketAddress address, boolean dualStack, int version) {
        InetAddress host = address.getAddress();
        String place = host.isAnyLocalAddress() ? (dualStack ? "any6" : "any4") : hex(host.getAddress());
        return listener(place, address.getPort(), version);
    }

    private Path listener(String place, int port, int version) {
        return path.resolve("l" + SegmentDescriptor.LAYOUT + "." + version + "-" + identity.networkNamespace() + "-"
                + place + "-" + port);
    }

    /**
     * {@return the names that a listener reached through this destination may have, in the order TCP would look at them:
     * one on the very address, then wildcards}
     *
     * <p>That they exist is not said, and one that does may be stale; then the next one counts.
     */
    List<Path> names(InetSocketAddress destination, int version) {
        byte[] host = destination.getAddress().getAddress();
        int port = destination.getPort();
        Path exact = listener(hex(host), port, version);
        Path both = listener("any6", port, version);
        return host.length == 4 ? List.of(exact, both, listener("any4", port, version)) : List.of(exact, both);
    }

    /** {@return whether there is a listener of this name, as far as the directory knows} */
    static boolean exists(Path name) {
        // java.io.File says no without building an exception.
        return new File(name.toString()).exists();
    }

    /** {@return the socket that a listener's name leads to, or null if there is no such name any more} */
    Path socket(Path name) throws IOException {
        try {
            return exists(name) ? path.resolve(Files.readSymbolicLink(name)) : null;
        } catch (NoSuchFileException | NotLinkException changedMeanwhile) {
            return null;
        }
    }

    /** {@return the file of the {@link Knocker} that belongs to a listener's socket} */
    Path knocker(Path socket) {
        return path.resolve("n" + socket.getFileName().toString().substring(1));
    }

    private static String hex(byte[] address) {
        StringBuilder out = new StringBuilder(2 * address.length);
        for (byte b : address) {
            out.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
        }
        return out.toString();
    }

    private void removeLeftovers() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                if (ownerLives(ownedName(file))) {
                    continue;
                }
                if (file.getFileName().toString().startsWith("l") && Files.isSymbolicLink(file)) {
                    removeLink(file);
                } else {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /**
     * Removes a listener's name that has led to a dead process: unlike other names it is used again, and whoever has the port
     * now may have replaced it since. So it is looked at once more where nobody replaces it.
     */
    void removeLink(Path name) throws IOException {
        Path aside = path.resolve("o" + ownNames + Long.toHexString(serial.getAndIncrement()));
        try {
            Files.move(name, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException another) {
            return;
        }
        Path socket = Files.readSymbolicLink(aside);
        if (ownerLives(socket.getFileName().toString())) {
            try {
                Files.createSymbolicLink(name, socket);
            } catch (FileAlreadyExistsException newer) {
                // Replaced once more.
            }
        }
        Files.delete(aside);
    }

    /** {@return the name that tells a file's owner: a listener's name leads to it} */
    private static String ownedName(Path file) throws IOException {
        String name = file.getFileName().toString();
        if (!name.startsWith("l")) {
            return name;
        }
        try {
            return Files.readSymbolicLink(file).getFileName().toString();
        } catch (NoSuchFileException | NotLinkException changedMeanwhile) {
            return name;
        }
    }

    private static boolean lives(String pid, String startTicks) {
        try {
            return ProcessIdentity.lives(Long.parseLong(pid), Long.parseLong(startTicks, 16));
        } catch (NumberFormatException notOurs) {
            return true;
        }
    }
}
