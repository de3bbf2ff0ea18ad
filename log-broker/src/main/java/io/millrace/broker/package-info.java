/**
 * The broker put together: {@link io.millrace.broker.BrokerNode} assembles the parts, {@link
 * io.millrace.broker.EmbeddedBroker} runs one inside another program, {@code BrokerMain} is the command line.
 *
 * <p>Keeps no state but the parts themselves. This is the only place that chooses between the real world and a
 * simulated one.
 */
package io.millrace.broker;
