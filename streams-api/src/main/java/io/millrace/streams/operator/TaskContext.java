package io.millrace.streams.operator;

import io.millrace.streams.state.StateStore;

/** What operators see of their task. */
public interface TaskContext {
    StateStore state(String name);

    /** Becomes visible when the record in hand has passed every operator, and its interval is committed. */
    void send(String topic, byte[] key, byte[] value, long timestampMs);

    /** As {@link #send}, but what this step has sent for the same key since the last commit is replaced. */
    void sendLatest(int step, String topic, byte[] key, byte[] value, long timestampMs);

    /** The record came after its window's grace and changes nothing. */
    void late(String state);
}
