/**
 * Options, weaving and the order of installing; the only room that uses ASM. May use {@code agent.bootstrap} and the
 * provider's {@code install} and {@code jdk}. The installing thread only, apart from what it hands to the hooks.
 */
package org.exsockets.agent.tooling;
