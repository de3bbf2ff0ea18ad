/**
 * The language of a job: topics, formats, streams, windows and aggregations, all of them values. A job described with
 * it does nothing until something runs it, so it may be built, printed and compared freely.
 *
 * <p>Everything here is immutable, except {@link io.millrace.streams.Flow} while a definition is being written down.
 * Must not import the planner, the operators, the stores or the runtime.
 */
package io.millrace.streams;
