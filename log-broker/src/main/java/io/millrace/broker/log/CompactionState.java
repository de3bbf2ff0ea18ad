package io.millrace.broker.log;

import java.util.Optional;

/**
 * How far compaction has come.
 *
 * @param cleanedOffset below which the last pass has come
 * @param running whether a pass is under way
 * @param failure why the last pass was given up, until one succeeds
 * @param retryAtMs when it is tried again
 */
public record CompactionState(long cleanedOffset, boolean running, Optional<String> failure, long retryAtMs) {}
