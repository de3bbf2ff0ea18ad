/**
 * The command that measures Millrace beside others. {@code workload} says what is run, {@code side} on what, {@code measure} how it is
 * counted, {@code report} what is left behind; {@code job} holds the jobs that run in processes of their own, and {@code micro} the
 * JMH benchmarks of single inner loops.
 */
package io.millrace.benchmarks;
