package io.millrace.broker.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lines of standard input become records. */
@Command(
        name = "produce",
        description = "Sends each line of standard input as a record; returns when all are acknowledged.",
        mixinStandardHelpOptions = true)
final class ProduceCommand implements Callable<Integer> {

    @Mixin
    private ClusterOptions cluster;

    @Parameters(paramLabel = "TOPIC")
    private String topic;

    @Option(
            names = "--key-separator",
            paramLabel = "TEXT",
            description = "what stands between key and value in a line; default: lines are values without key")
    private String separator;

    @Override
    public Integer call() throws Exception {
        Properties properties = cluster.properties();
        properties.putIfAbsent("acks", "all");
        properties.putIfAbsent("linger.ms", "5");
        AtomicReference<Exception> failure = new AtomicReference<>();
        long sent = 0;
        try (KafkaProducer<String, String> producer =
                        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && failure.get() == null; line = lines.readLine()) {
                producer.send(record(line), (metadata, error) -> {
                    if (error != null) {
                        failure.compareAndSet(null, error);
                    }
                });
                sent++;
            }
            producer.flush();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        System.err.println(sent + " records sent to " + topic);
        return 0;
    }

    private ProducerRecord<String, String> record(String line) throws IOException {
        if (separator == null) {
            return new ProducerRecord<>(topic, line);
        }
        int at = line.indexOf(separator);
        if (at < 0) {
            throw new IllegalArgumentException("line '" + line + "' has no '" + separator + "' between key and value");
        }
        return new ProducerRecord<>(topic, line.substring(0, at), line.substring(at + separator.length()));
    }
}
