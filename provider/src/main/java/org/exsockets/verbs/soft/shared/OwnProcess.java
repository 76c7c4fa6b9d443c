package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.BitSet;
import org.exsockets.memory.Words;
import org.exsockets.verbs.NotNowException;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * What this process tells its peers of itself ({@link ProcessDescriptor}), and the numbers it gives to what it shares.
 * Thread-safe.
 */
public final class OwnProcess {
    private static final int NUMBERS = 32;

    private final SharedMemory memory;
    private final long token;
    private final SignNumbers signs = new SignNumbers();
    private final Words signWords;
    private final SleepWords sleepers;

    /** Fetched together: a system call for each takes 0.24 µs of a connect. */
    @GuardedBy("this")
    private final long[] numbers = new long[NUMBERS];

    @GuardedBy("this")
    private int numbersLeft;

    @GuardedBy("this")
    private final BitSet pages = new BitSet();

    /**
     * @param isStrict whether its pages are to be made at once
     * @throws IOException if it cannot be made; a {@link NotNowException} for want of descriptors, mappings, files or
     *     memory
     */
    public OwnProcess(boolean isStrict) throws IOException {
        if (!NativeMemory.random(numbers)) {
            throw new NotNowException("no random numbers: the kernel gives none (getrandom)", null);
        }
        try {
            memory = SharedMemory.create(ProcessDescriptor.LENGTH, isStrict ? ProcessDescriptor.LENGTH : 0);
        } catch (SystemFailure e) {
            String why = "shared memory cannot be made (memfd_create): " + e.getMessage();
            throw e.mayPass() ? new NotNowException(why, e) : new IOException(why, e);
        }
        token = newNumber();
        ProcessDescriptor.format(memory.words(), token);
        signWords = Words.of(memory.slice(ProcessDescriptor.SIGNS_OFFSET, SleepSignDescriptor.LENGTH));
        sleepers = new SleepWords(signWords);
    }

    /** {@return a number that no other process has, or can guess; not 0} Each is the kernel's: none tells of another. */
    public synchronized long newNumber() {
        long number;
        do {
            if (numbersLeft == 0 && NativeMemory.random(numbers)) {
                numbersLeft = numbers.length;
            }
            number = numbers[--numbersLeft];
            numbers[numbersLeft] = 0;
        } while (number == 0);
        return number;
    }

    public long token() {
        return token;
    }

    /** {@return the descriptor to pass to peers of the same user} */
    public int descriptor() {
        return memory.descriptor();
    }

    /** {@return a sign that says awake; null if there is none left} */
    public @Nullable SleepSign openSign() {
        int number = signs.open();
        return number < 0 ? null : new OwnSign(signs, signWords, number, sleepers);
    }

    /** {@return the page of a new listener; null if there is none left: its acceptors then do not spin} */
    public synchronized @Nullable ListenerPage openPage() {
        int number = pages.nextClearBit(0);
        if (number == ProcessDescriptor.PAGES) {
            return null;
        }
        ListenerPage page = new ListenerPage(memory.words(), number);
        pages.set(number);
        page.setFull(false);
        page.setListening(true);
        return page;
    }

    /** The listener does not listen any more; its page is free. */
    public synchronized void closePage(ListenerPage page) {
        page.setListening(false);
        pages.clear(page.number());
    }
}
