package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The streams of {@code java.net.Socket}. */
@Tag("usual")
class SocketStreamsContract extends Contract {
    @Test
    void singleBytesAreWrittenAndReadAsUnsignedValues() throws Exception {
        SocketPair pair = socketPair();
        OutputStream out = pair.client().getOutputStream();
        InputStream in = pair.server().getInputStream();
        for (int value = 0; value < 256; value++) {
            out.write(value);
            assertEquals(value, in.read());
        }
        pair.client().close();
        assertEquals(-1, in.read());
        assertEquals(-1, in.read());
    }

    @Test
    void readReturnsWhatThereIs() throws Exception {
        SocketLink link = connectedSocket();
        byte[] bytes = new byte[100];
        Background<Integer> read =
                Background.start(() -> link.local().getInputStream().read(bytes, 10, 90));
        read.awaitBlockedIn("read");
        link.remote().write(5);
        assertEquals(5, read.result());
        Pattern.check(0, bytes, 10, 5);
        assertEquals(0, bytes[9]);
        assertEquals(0, bytes[15]);
    }

    @Test
    void readIntoNothingReturnsZero() throws Exception {
        Socket local = connectedSocket().local();
        assertEquals(0, local.getInputStream().read(new byte[0]));
        assertEquals(0, local.getInputStream().read(new byte[5], 2, 0));
        local.getOutputStream().write(new byte[0]);
    }

    @Test
    void rangesOutsideTheArrayAreRefused() throws Exception {
        Socket local = connectedSocket().local();
        byte[] ten = new byte[10];
        assertThrowsA(
                IndexOutOfBoundsException.class, () -> local.getInputStream().read(ten, 5, 6));
        assertThrowsA(
                IndexOutOfBoundsException.class, () -> local.getInputStream().read(ten, -1, 2));
        assertThrowsA(
                IndexOutOfBoundsException.class, () -> local.getOutputStream().write(ten, 5, 6));
        assertThrowsA(NullPointerException.class, () -> local.getInputStream().read(null));
    }

    @Test
    void availableCountsTheBytesThatArrived() throws Exception {
        SocketLink link = connectedSocket();
        InputStream in = link.local().getInputStream();
        assertEquals(0, in.available());
        link.remote().write(1000);
        awaitAvailable(in, 1000);
        assertEquals(10, in.readNBytes(10).length);
        assertEquals(990, in.available());
    }

    @Test
    void availableIsZeroAtTheEnd() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().close();
        InputStream in = link.local().getInputStream();
        assertEquals(-1, in.read());
        assertEquals(0, in.available());
    }

    @Test
    void skipPassesOverBytes() throws Exception {
        SocketLink link = connectedSocket();
        InputStream in = link.local().getInputStream();
        link.remote().write(500);
        in.skipNBytes(300);
        byte[] rest = in.readNBytes(200);
        Pattern.check(300, rest, 0, 200);
        link.remote().close();
        assertEquals(0, in.skip(10));
    }

    @Test
    void readNBytesAndReadAllBytesReachTheEnd() throws Exception {
        SocketLink link = connectedSocket();
        link.remote().write(5000);
        link.remote().close();
        InputStream in = link.local().getInputStream();
        Pattern.check(0, in.readNBytes(1000), 0, 1000);
        byte[] rest = in.readAllBytes();
        assertEquals(4000, rest.length);
        Pattern.check(1000, rest, 0, 4000);
    }

    @Test
    void transferToCopiesUntilTheEnd() throws Exception {
        SocketLink source = connectedSocket();
        SocketLink target = connectedSocket();
        source.remote().startWrite(300_000);
        Background<Long> copy = Background.start(
                () -> source.local().getInputStream().transferTo(target.local().getOutputStream()));
        target.remote().read(300_000);
        source.remote().close();
        assertEquals(300_000L, copy.result());
    }

    @Test
    void bigTransfersRunInBothDirectionsAtOnce() throws Exception {
        SocketLink link = acceptedSocket();
        int length = 20 << 20;
        var remoteWrites = link.remote().startWrite(length);
        Background<Long> checksum = Background.start(() -> {
            CRC32 crc = new CRC32();
            byte[] piece = new byte[100_000];
            InputStream in = link.local().getInputStream();
            for (int left = length; left > 0; ) {
                int n = in.read(piece, 0, Math.min(piece.length, left));
                assertTrue(n > 0);
                crc.update(piece, 0, n);
                left -= n;
            }
            return crc.getValue();
        });
        byte[] bytes = Pattern.bytes(0, length);
        Background<Boolean> writer = Background.start(() -> {
            link.local().getOutputStream().write(bytes);
            return true;
        });
        CRC32 expected = new CRC32();
        expected.update(bytes);
        assertEquals(expected.getValue(), checksum.result());
        PeerJvm.await(remoteWrites);
        link.remote().read(length);
        assertTrue(writer.result());
    }

    @Test
    void echoOfManySmallMessagesKeepsThemInOrder() throws Exception {
        SocketLink link = connectedSocket();
        var echoed = link.remote().startEcho();
        InputStream in = link.local().getInputStream();
        OutputStream out = link.local().getOutputStream();
        long at = 0;
        for (int i = 0; i < 2000; i++) {
            int length = 1 + i % 97;
            out.write(Pattern.bytes(at, length));
            Pattern.check(at, in.readNBytes(length), 0, length);
            at += length;
        }
        link.local().shutdownOutput();
        assertEquals(Long.toString(at), PeerJvm.await(echoed));
    }

    @Test
    void linesOfTextTravelThroughReadersAndWriters() throws Exception {
        SocketPair pair = socketPair();
        PrintWriter writer = new PrintWriter(pair.client().getOutputStream(), true, StandardCharsets.UTF_8);
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(pair.server().getInputStream(), StandardCharsets.UTF_8));
        for (int i = 0; i < 100; i++) {
            writer.println("line " + i + " ä€");
            assertEquals("line " + i + " ä€", reader.readLine());
        }
    }

    @Test
    void twoHundredKilobytesInSingleBytesFitBeforeAnybodyReads() throws Exception {
        SocketPair pair = socketPair();
        OutputStream out = pair.client().getOutputStream();
        for (int i = 0; i < 200_000; i++) {
            out.write(Pattern.at(i));
        }
        Pattern.check(0, pair.server().getInputStream().readNBytes(200_000), 0, 200_000);
    }

    @Test
    void twoHundredKilobytesInPiecesOfAHundredBytesFitBeforeAnybodyReads() throws Exception {
        SocketPair pair = socketPair();
        OutputStream out = pair.server().getOutputStream();
        for (int i = 0; i < 200_000; i += 100) {
            out.write(Pattern.bytes(i, 100));
        }
        Pattern.check(0, pair.client().getInputStream().readNBytes(200_000), 0, 200_000);
    }

    @Test
    void bothDirectionsHoldTwoHundredKilobytesBeforeAnybodyReads() throws Exception {
        SocketPair pair = socketPair();
        pair.client().getOutputStream().write(Pattern.bytes(0, 200_000));
        pair.server().getOutputStream().write(Pattern.bytes(0, 200_000));
        Pattern.check(0, pair.server().getInputStream().readNBytes(200_000), 0, 200_000);
        Pattern.check(0, pair.client().getInputStream().readNBytes(200_000), 0, 200_000);
    }

    private static void awaitAvailable(InputStream in, int bytes) {
        await(bytes + " bytes available", () -> {
            try {
                return in.available() == bytes;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
