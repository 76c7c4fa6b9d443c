package org.exsockets.verbs.soft.shared;

import org.exsockets.memory.Words;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.jspecify.annotations.Nullable;

/** The signs of this process ({@link SleepSignDescriptor}). Thread-safe. */
public final class SleepSigns {
    private final SignNumbers numbers = new SignNumbers();
    private final Words words;
    private final SleepWords sleepers;

    SleepSigns(Words words) {
        this.words = words;
        this.sleepers = new SleepWords(words);
    }

    /** {@return a sign that says awake; null if there is none left} */
    public @Nullable SleepSign open() {
        int number = numbers.open();
        return number < 0 ? null : new OwnSign(numbers, words, number, sleepers);
    }
}
