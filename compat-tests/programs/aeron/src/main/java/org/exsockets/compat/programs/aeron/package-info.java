/** Aeron, with the pollers of Agrona: messages over shared memory and UDP. */
package org.exsockets.compat.programs.aeron;
