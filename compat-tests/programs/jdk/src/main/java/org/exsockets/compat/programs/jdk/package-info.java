/** What the JDK itself brings: its web server, its HTTP and WebSocket clients, RMI, JMX, TLS. */
package org.exsockets.compat.programs.jdk;
