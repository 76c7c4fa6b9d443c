/** The contracts over plain JDK TCP: the oracle. One small class for each contract. */
package org.exsockets.compat.tcp;
