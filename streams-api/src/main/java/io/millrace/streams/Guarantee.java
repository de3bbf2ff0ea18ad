package io.millrace.streams;

/** What a job promises about the effect of each input record on its outputs and states. */
public enum Guarantee {
    EXACTLY_ONCE,
    AT_LEAST_ONCE
}
