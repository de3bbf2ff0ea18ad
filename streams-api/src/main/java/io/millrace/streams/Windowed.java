package io.millrace.streams;

import java.time.Instant;

/** A key within one window of event time: {@code start} belongs to the window, {@code end} to the next. */
public record Windowed<K>(K key, Instant start, Instant end) {}
