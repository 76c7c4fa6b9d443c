/**
 * What {@code java -jar exs-agent.jar} runs. May use {@code isolation} and {@code selftest}; reaches the rest only by
 * name, through the isolated class loader.
 */
package org.exsockets.agent.cli;
