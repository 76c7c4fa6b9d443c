/** Apache ZooKeeper. */
package org.exsockets.compat.programs.zookeeper;
