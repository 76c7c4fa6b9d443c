package java.nio.channels.spi;

import java.util.function.UnaryOperator;

/**
 * What {@link SelectorProvider#provider()} calls at its exit once the agent has woven it.
 *
 * <p>Defined into java.base by the agent; does nothing until {@link #function} is set, which happens at most once, when
 * everything else has been installed.
 */
final class ExsSelectorProviderHook {
    static volatile UnaryOperator<SelectorProvider> function;

    private ExsSelectorProviderHook() {}

    static SelectorProvider onProvider(SelectorProvider provider) {
        UnaryOperator<SelectorProvider> replace = function;
        return replace == null ? provider : replace.apply(provider);
    }
}
