/**
 * A whole cluster on one thread, in virtual time, from one seed: brokers, clients, faults, and checks of the invariants
 * that {@code docs/decisions} and the design name I1 to I8. Everything belongs to the thread that runs the
 * {@link io.millrace.simulator.Simulation}. Must not look at clocks, files, sockets, threads or chance other than the
 * world's.
 */
package io.millrace.simulator;
