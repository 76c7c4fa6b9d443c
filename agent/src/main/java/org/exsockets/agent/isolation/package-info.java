/**
 * The class loader that keeps everything this jar brings out of the program's sight. Uses nothing else of the project.
 * Any thread.
 */
package org.exsockets.agent.isolation;
