/**
 * What was promised to clients and what was seen, and whether the two agree: invariants I1 to I8, and that no healthy
 * broker is taken for dead. Values and pure rules; must not import workloads, faults or the world.
 */
package io.millrace.simulator.checker;
