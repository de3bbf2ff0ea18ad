/** What is measured: processes by the accounting of the kernel, latencies, figures of all sides. Knows no broker and no workload. */
package io.millrace.benchmarks.measure;
