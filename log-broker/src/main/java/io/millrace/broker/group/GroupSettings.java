package io.millrace.broker.group;

/**
 * @param initialDelayMs how long a new group waits for more members
 * @param offsetsRetentionMs how long an empty group keeps its offsets
 */
public record GroupSettings(
        int minSessionMs, int maxSessionMs, int initialDelayMs, int maxSize, long offsetsRetentionMs) {}
