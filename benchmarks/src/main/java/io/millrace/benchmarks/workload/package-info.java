/**
 * What is run on every side, one class a workload. A workload says its settings, repeats its cases on all sides in turn, and adds
 * figures to the results; it never judges them.
 */
package io.millrace.benchmarks.workload;
