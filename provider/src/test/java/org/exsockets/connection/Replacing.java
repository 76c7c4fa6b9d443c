package org.exsockets.connection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/** Puts something in front of an interface of a device. */
final class Replacing {
    private Replacing() {}

    /**
     * {@return an object that does what {@code behind} does, but calls {@code replacement} for one method}
     *
     * @param replacement returns what that method is to return; null: {@code behind} does that call, too
     */
    static <T> T in(Class<T> type, T behind, String methodName, Supplier<Object> replacement) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result = method.getName().equals(methodName) ? replacement.get() : null;
                    try {
                        return result != null ? result : method.invoke(behind, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
