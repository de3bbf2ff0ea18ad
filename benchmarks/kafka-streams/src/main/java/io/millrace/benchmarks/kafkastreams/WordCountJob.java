package io.millrace.benchmarks.kafkastreams;

import java.util.Arrays;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.KeyValueStore;

/** Counts words. Arguments: bootstrap, application id, topic of lines, topic of counts, folder. */
public final class WordCountJob {
    private WordCountJob() {}

    public static void main(String[] args) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(args[2], Consumed.with(Serdes.ByteArray(), Serdes.String()))
                .flatMapValues(line -> Arrays.asList(line.split(" ", -1)))
                .groupBy((key, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
                .count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("counts")
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Serdes.Long()))
                .toStream()
                .to(args[3], Produced.with(Serdes.String(), Serdes.Long()));
        StreamsProcess.run(builder, args[0], args[1], args[4]);
    }
}
