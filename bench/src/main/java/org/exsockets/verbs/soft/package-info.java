/** The bench's way into the software device. */
package org.exsockets.verbs.soft;
