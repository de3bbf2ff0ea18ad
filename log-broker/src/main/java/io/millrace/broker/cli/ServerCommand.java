package io.millrace.broker.cli;

import io.millrace.broker.BrokerConfig;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.broker.settings.BrokerSettings;
import java.io.IOException;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a broker until it is told to stop. */
@Command(
        name = "server",
        description = "Runs a broker until SIGTERM or Ctrl-C, which stop it cleanly.",
        mixinStandardHelpOptions = true)
final class ServerCommand implements Callable<Integer> {

    @Option(names = "--config", paramLabel = "FILE", description = "a properties file with settings")
    private Path config;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "the folder that holds everything the broker knows (default: ${DEFAULT-VALUE})")
    private Path data;

    @Option(names = "--port", paramLabel = "N", description = "the port to listen on; 0 for any free one")
    private Integer port;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting, over what the file says; 'millrace server --settings' lists them")
    private Map<String, String> set = new TreeMap<>();

    @Option(names = "--settings", description = "lists all settings with their defaults, and ends")
    private boolean listSettings;

    @Override
    public Integer call() throws Exception {
        if (listSettings) {
            BrokerSettings.TABLE
                    .all()
                    .forEach(setting -> System.out.printf(
                            "%s=%s%n    %s; %s%n",
                            setting.name(), setting.defaultValue(), setting.meaning(), setting.allowed()));
            return 0;
        }
        EmbeddedBroker broker = EmbeddedBroker.start(new BrokerConfig(data, settings()));
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            broker.close();
                            System.out.println("millrace has stopped cleanly");
                            stopped.countDown();
                        },
                        "millrace-stop"));
        long sinceStartMs = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        // At once, for who waits for this line would not know it again with one of the log in its middle.
        System.out.println("millrace is ready at %s (cluster %s, data in %s) %d ms after the start of its process"
                .formatted(broker.bootstrap(), broker.clusterId(), data.toAbsolutePath(), sinceStartMs));
        stopped.await();
        return 0;
    }

    private Map<String, String> settings() throws IOException {
        Map<String, String> settings = new TreeMap<>();
        if (config != null) {
            Properties file = new Properties();
            try (Reader reader = Files.newBufferedReader(config, StandardCharsets.UTF_8)) {
                file.load(reader);
            }
            file.stringPropertyNames().forEach(name -> settings.put(name, file.getProperty(name)));
        }
        settings.putAll(set);
        if (port != null) {
            settings.put(BrokerSettings.PORT, String.valueOf(port));
        }
        return settings;
    }
}
