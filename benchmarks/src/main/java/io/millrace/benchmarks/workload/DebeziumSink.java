package io.millrace.benchmarks.workload;

import io.millrace.testbed.ChildProcess;
import io.millrace.testbed.FreePort;
import io.millrace.testbed.JvmFlags;
import io.millrace.testbed.ProjectFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Kafka Connect, standalone, with Debezium's JDBC sink. */
final class DebeziumSink {
    private static final Path WORKER = ProjectFolder.resolve("benchmarks/debezium/worker/target/lib");
    private static final Path PLUGINS = ProjectFolder.resolve("benchmarks/debezium/plugin/target/plugins");

    private DebeziumSink() {}

    static boolean isBuilt() {
        return Files.isDirectory(WORKER) && Files.isDirectory(PLUGINS);
    }

    static ChildProcess start(JvmFlags flags, Path folder, String bootstrap, String topic, String url, String table)
            throws IOException {
        Path worker = Files.writeString(folder.resolve("worker.properties"), """
                bootstrap.servers=%s
                key.converter=org.apache.kafka.connect.json.JsonConverter
                value.converter=org.apache.kafka.connect.json.JsonConverter
                offset.storage.file.filename=%s
                plugin.path=%s
                plugin.discovery=only_scan
                listeners=HTTP://127.0.0.1:%d
                consumer.max.poll.records=5000
                consumer.max.partition.fetch.bytes=8388608
                consumer.auto.offset.reset=earliest
                """.formatted(
                        bootstrap, folder.resolve("offsets"), PLUGINS, FreePort.find()));
        Path sink = Files.writeString(folder.resolve("sink.properties"), """
                name=%s
                connector.class=io.debezium.connector.jdbc.JdbcSinkConnector
                tasks.max=1
                topics=%s
                connection.url=%s
                connection.username=postgres
                connection.password=
                insert.mode=upsert
                primary.key.mode=record_key
                primary.key.fields=id
                schema.evolution=none
                collection.name.format=%s
                batch.size=5000
                """.formatted(table, topic, url, table));
        List<String> command = List.of(
                "-Dlogback.configurationFile="
                        + ProjectFolder.resolve("testbed/src/main/config/apache-kafka-logback.xml"),
                "-cp",
                WORKER + "/*",
                "org.apache.kafka.connect.cli.ConnectStandalone",
                worker.toString(),
                sink.toString());
        return ChildProcess.java(flags, command, folder.resolve("output"));
    }
}
