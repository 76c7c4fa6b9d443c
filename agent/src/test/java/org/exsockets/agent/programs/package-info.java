/** Ordinary programs that know nothing of EXS, for the tests to run in JVMs of their own. */
package org.exsockets.agent.programs;
