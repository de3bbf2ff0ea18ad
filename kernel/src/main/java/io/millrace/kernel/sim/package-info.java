/**
 * The seams under virtual time: one thread, one queue ordered by time and sequence, an in-process network and a disk
 * in memory that loses what was not forced when it crashes. The same seed gives the same run.
 *
 * <p>All state is owned by the thread that calls {@link io.millrace.kernel.sim.SimWorld#runFor}. Nothing here may look
 * at the machine's own clock, files, sockets or chance.
 */
package io.millrace.kernel.sim;
