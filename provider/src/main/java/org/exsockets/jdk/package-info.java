/**
 * What this project needs of the JDK beyond its public API, each with a fallback where the package was not opened to
 * it: the JVM's own selector provider, registration of foreign channels with a selector, virtual threads, native
 * libraries of our own.
 *
 * <p>The agent opens the packages concerned; without it {@code --add-opens} does.
 */
package org.exsockets.jdk;
