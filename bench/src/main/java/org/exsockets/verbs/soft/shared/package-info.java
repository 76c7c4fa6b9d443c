/** The bench's way to the signs and segments of the software device. */
package org.exsockets.verbs.soft.shared;
