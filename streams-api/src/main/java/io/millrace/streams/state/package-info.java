/**
 * Named state of a task: committed values in RocksDB, the interval that is not committed yet in an overlay above it.
 *
 * <p>Everything of a task belongs to the worker thread that runs it; only {@link io.millrace.streams.state.StateMemory}
 * is shared. Knows nothing of topics or transactions: the worker says when an interval is committed and which changelog
 * position it stands for. Must not import any other package of this module.
 */
package io.millrace.streams.state;
