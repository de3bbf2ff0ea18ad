package io.millrace.benchmarks.kafkastreams;

import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/** Changes one byte of each record. Arguments: bootstrap, application id, topic in, topic out, folder. */
public final class MapJob {
    private MapJob() {}

    public static void main(String[] args) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(args[2], Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .mapValues(MapJob::changed)
                .to(args[3], Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
        StreamsProcess.run(builder, args[0], args[1], args[4]);
    }

    private static byte[] changed(byte[] value) {
        byte[] copy = value.clone();
        copy[0] ^= 1;
        return copy;
    }
}
