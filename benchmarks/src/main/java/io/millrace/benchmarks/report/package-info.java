/** What a run leaves behind: figures and targets as Markdown and JSON. Judges figures, measures nothing. */
package io.millrace.benchmarks.report;
