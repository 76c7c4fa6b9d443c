/**
 * What can be seen of a running program from outside: each process answers on a socket of its own, and the command
 * {@code ss} asks all of them. Nobody waits for the thread that answers.
 */
package org.exsockets.watch;
