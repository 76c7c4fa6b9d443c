/**
 * The few classes that are defined into java.base (their sources: {@code src/main/hooks}), and what defines them. Uses
 * nothing else of the project. The installing thread only.
 */
package org.exsockets.agent.bootstrap;
