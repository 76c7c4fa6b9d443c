package java.nio.channels.spi;

import java.util.function.UnaryOperator;

/**
 * What {@link AsynchronousChannelProvider#provider()} calls at its exit once the agent has woven it.
 *
 * <p>Defined into java.base by the agent; does nothing until {@link #function} is set, which happens at most once, when
 * everything else has been installed.
 */
final class ExsAsynchronousProviderHook {
    static volatile UnaryOperator<AsynchronousChannelProvider> function;

    private ExsAsynchronousProviderHook() {}

    static AsynchronousChannelProvider onProvider(AsynchronousChannelProvider provider) {
        UnaryOperator<AsynchronousChannelProvider> replace = function;
        return replace == null ? provider : replace.apply(provider);
    }
}
