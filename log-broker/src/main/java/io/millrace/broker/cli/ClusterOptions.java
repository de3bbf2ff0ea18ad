package io.millrace.broker.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Option;

/** Which cluster a tool talks to, and how it prints. */
final class ClusterOptions {

    @Option(
            names = {"-b", "--bootstrap"},
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9092",
            description = "a broker of the cluster (default: ${DEFAULT-VALUE})")
    private String bootstrap;

    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            description = "a properties file for the client, such as security settings")
    private Path clientConfig;

    @Option(names = "--json", description = "prints JSON, one object a line")
    private boolean json;

    Properties properties() throws IOException {
        Properties properties = new Properties();
        if (clientConfig != null) {
            try (Reader reader = Files.newBufferedReader(clientConfig, StandardCharsets.UTF_8)) {
                properties.load(reader);
            }
        }
        properties.put("bootstrap.servers", bootstrap);
        properties.putIfAbsent("client.id", "millrace-cli");
        return properties;
    }

    Admin admin() throws IOException {
        return Admin.create(properties());
    }

    boolean json() {
        return json;
    }

    Rows rows(String... columns) {
        return new Rows(System.out, json, columns);
    }
}
