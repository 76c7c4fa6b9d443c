/**
 * What the drivers of all programs share: how a server tells where it serves and is ended, how a client tells what it
 * has got, and the content that both sides know. Uses the JDK only. What runs the drivers is {@code
 * org.exsockets.compat.programs} in the suite, which knows no class of theirs, but their names and what they print.
 */
package org.exsockets.compat.programs.driver;
