/**
 * The connection manager's side of adapters: the device, its listeners, its connections from the hand-shake to the last
 * resource given back, and the thread that events come from.
 *
 * <p>One thread, "exs-verbs", passes on the events of all adapters, accepts connections and destroys them; threads of
 * the program connect and disconnect.
 */
package org.exsockets.verbs.disni.cm;
