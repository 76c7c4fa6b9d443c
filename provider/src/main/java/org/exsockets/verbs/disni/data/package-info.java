/**
 * The data path over adapters: an adapter in use, and of each connection its queue pair, completion queue and
 * completion channel.
 *
 * <p>Threads of the program post and poll; each of them may take completions that concern another one (harvest). The
 * device's thread, of {@code cm}, rings the completion channel.
 */
package org.exsockets.verbs.disni.data;
