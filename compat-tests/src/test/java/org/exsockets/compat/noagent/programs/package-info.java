/** Programs that know nothing of EXS, but for one call of the public installer; run in JVMs of their own. */
package org.exsockets.compat.noagent.programs;
