/** JMH benchmarks of inner loops, one class a loop: {@code bin/benchmark jmh}. They find regressions; only whole workloads are claims. */
package io.millrace.benchmarks.micro;
