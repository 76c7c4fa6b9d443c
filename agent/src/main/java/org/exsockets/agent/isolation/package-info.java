/**
 * The class loader that hides the contents of this jar from the program. Uses nothing else of the project. Any thread.
 */
package org.exsockets.agent.isolation;
