package java.nio.channels.spi;

import java.util.function.UnaryOperator;

/**
 * What {@link SelectorProvider#provider()} and {@link AsynchronousChannelProvider#provider()} call at their exit once the
 * agent has woven them.
 *
 * <p>Defined into java.base by the agent; does nothing until {@link #selectors} or {@link #asynchronous} is set, which
 * happens at most once, when everything else has been installed.
 */
final class ExsProviderHook {
    static volatile UnaryOperator<SelectorProvider> selectors;
    static volatile UnaryOperator<AsynchronousChannelProvider> asynchronous;

    private ExsProviderHook() {}

    static SelectorProvider onProvider(SelectorProvider provider) {
        UnaryOperator<SelectorProvider> replace = selectors;
        return replace == null ? provider : replace.apply(provider);
    }

    static AsynchronousChannelProvider onProvider(AsynchronousChannelProvider provider) {
        UnaryOperator<AsynchronousChannelProvider> replace = asynchronous;
        return replace == null ? provider : replace.apply(provider);
    }
}
