package org.exsockets.compat.harness;

/** Says what carries the connections of a test class; each transport's package has one extension with the answer. */
@FunctionalInterface
public interface TransportUnderTest {
    Transport transport();
}
