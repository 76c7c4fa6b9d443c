/** The bench's way to the signs of the software device. */
package org.exsockets.verbs.soft.shared;
