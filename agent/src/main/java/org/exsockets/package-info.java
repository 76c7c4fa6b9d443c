/** The public entry points for programs that use EXS without the agent. */
package org.exsockets;
