/** The command {@code doctor}: what would be used on this machine and to a destination. Connects nowhere; one thread. */
package org.exsockets.doctor;
