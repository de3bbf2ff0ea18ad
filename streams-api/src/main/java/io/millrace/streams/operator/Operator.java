package io.millrace.streams.operator;

/** Takes records; what it makes of them goes to the next operator. */
@FunctionalInterface
interface Operator<K, V> {
    void process(K key, V value, long timestampMs);
}
