/** What {@code java -jar exs-agent.jar} runs. Uses nothing else of the project yet. */
package org.exsockets.agent.cli;
