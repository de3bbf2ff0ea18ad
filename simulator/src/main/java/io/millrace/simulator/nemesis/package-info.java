/**
 * What goes wrong in a cluster, and when: everything is drawn from the seed, every fault ends, and in the end all are
 * healed. Must not import clients or checkers.
 */
package io.millrace.simulator.nemesis;
