/**
 * What a sink is to the runtime: something that takes a batch of records and moves its own record of the offset in the
 * same transaction. Implementations live in other modules.
 *
 * <p>A {@link io.millrace.streams.sink.SinkWriter} belongs to one writer thread. Must not import any other package of
 * this module.
 */
package io.millrace.streams.sink;
