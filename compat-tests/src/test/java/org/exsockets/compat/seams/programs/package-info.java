/** Programs of the tests around: the JDK's API only, since some run where nothing else is. */
package org.exsockets.compat.seams.programs;
