package io.millrace.broker.server;

import io.millrace.broker.wire.FetchedRecords;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiMessage;

/** Responses whose connection is gone: the files they refer to are let go. */
final class Unsent {
    private Unsent() {}

    static void release(ApiMessage response) {
        if (response instanceof FetchResponseData fetch) {
            fetch.responses().forEach(topic -> topic.partitions().forEach(FetchedRecords::release));
        }
    }
}
