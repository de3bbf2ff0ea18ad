/**
 * The command line: a server, and tools that work against any cluster that speaks the Kafka protocol.
 *
 * <p>The tools use the public client library only. Nothing imports this package.
 */
package io.millrace.broker.cli;
