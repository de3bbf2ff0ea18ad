/**
 * Runs a job: workers with their tasks, slots handed out with the group's assignment, the commit cycle, restoring of
 * states, dead letters, progress.
 *
 * <p>A worker thread owns its session, its tasks and their states; nothing of that is shared. What crosses threads is
 * immutable, a counter, or a volatile of {@link io.millrace.streams.runtime.RunningJob}. May import every other package
 * of this module; nothing imports it.
 */
package io.millrace.streams.runtime;
