/**
 * A stage's steps as a chain of operators, each handing records to the next by a plain method call.
 *
 * <p>A chain belongs to the worker thread of its task. Sees states and outputs only through the
 * {@link io.millrace.streams.operator.TaskContext} it is built with. May import the root package, the planner and
 * the stores; must not import the runtime or a Kafka client.
 */
package io.millrace.streams.operator;
