package io.millrace.benchmarks.kafkastreams;

import java.util.Properties;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;

/** Runs a topology with one thread, exactly once, until the process is ended. */
final class StreamsProcess {
    private StreamsProcess() {}

    static void run(StreamsBuilder builder, String bootstrap, String name, String stateDir) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, name);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDir);
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put("auto.offset.reset", "earliest");
        KafkaStreams streams = new KafkaStreams(builder.build(), settings);
        Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
        streams.start();
    }
}
