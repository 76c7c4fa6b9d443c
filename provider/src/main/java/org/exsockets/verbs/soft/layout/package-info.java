/**
 * What the processes of two ends read of each other's: the layouts of segments, of the memory of a process and of an
 * arena, and of the hello. One class each, which holds nothing: diagram, offsets, and who writes and reads each field.
 *
 * <p>A change of any of them is another {@code LAYOUT}.
 */
package org.exsockets.verbs.soft.layout;
