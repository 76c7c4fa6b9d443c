/** Apache Thrift's servers, blocking and with selectors, and a client; the service is written by hand, as a generator would. */
package org.exsockets.compat.programs.thrift;
