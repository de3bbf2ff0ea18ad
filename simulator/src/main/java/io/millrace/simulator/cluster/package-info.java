/**
 * A cluster of brokers on the machines of one simulated world, and the {@link io.millrace.simulator.cluster.Agreement}
 * that stands in for their metadata quorum. Owned by the one thread of the world; must not import clients or checkers.
 */
package io.millrace.simulator.cluster;
