/**
 * Kafka's messages to and from Netty buffers, with file regions in responses.
 *
 * <p>The only package that touches what the kafka-clients library does not promise to keep: its codec, its record
 * classes, its error table. Everything above sees the generated message classes, {@link
 * io.millrace.broker.wire.ErrorCode} and bytes. It keeps no state.
 */
package io.millrace.broker.wire;
