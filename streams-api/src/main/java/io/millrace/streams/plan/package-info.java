/**
 * From a job to its stages: which topic each stage reads, which steps run in it, who commits it, which states and
 * topics it needs. Pure functions over values; talks to nobody. May import the root package only.
 */
package io.millrace.streams.plan;
