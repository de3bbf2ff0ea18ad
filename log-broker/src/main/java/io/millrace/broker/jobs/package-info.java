/**
 * Lets a job start this broker in its own process: the broker's side of {@link io.millrace.streams.EmbeddedCluster}.
 *
 * <p>The only package that imports the job runtime, which is not part of the broker's JAR. Nothing imports it.
 */
package io.millrace.broker.jobs;
