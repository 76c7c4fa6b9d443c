/**
 * The premain class and nothing else. May use {@code isolation}; reaches the rest only by name, through the isolated
 * class loader.
 */
package org.exsockets.agent;
