/** Apache Tomcat with its connectors on channels with selectors and on asynchronous channels. */
package org.exsockets.compat.programs.tomcat;
