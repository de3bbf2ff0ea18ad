/**
 * What clients do to the cluster while it suffers, and what they note in the {@link io.millrace.simulator.checker.Ledger}
 * of what they were promised. Each workload is a chain of answers on its client's loop; must not import the cluster.
 */
package io.millrace.simulator.workload;
