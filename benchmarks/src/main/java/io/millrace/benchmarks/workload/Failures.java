package io.millrace.benchmarks.workload;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Keeps the first failure of many sends, so that no figure counts records that never arrived. */
final class Failures implements Callback {
    private volatile Exception first;

    @Override
    public void onCompletion(RecordMetadata metadata, Exception exception) {
        if (exception != null && first == null) {
            first = exception;
        }
    }

    void check() throws Exception {
        if (first != null) {
            throw first;
        }
    }
}
