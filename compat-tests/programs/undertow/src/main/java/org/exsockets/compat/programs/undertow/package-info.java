/** Undertow, and the XNIO under it. */
package org.exsockets.compat.programs.undertow;
