package io.millrace.benchmarks.side;

import io.millrace.benchmarks.measure.ProcessAccount;
import io.millrace.testbed.BrokerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A broker that the run started. */
public record LaunchedSide(String label, BrokerProcess process) implements Side, AutoCloseable {
    @Override
    public String bootstrap() {
        return process.bootstrap();
    }

    @Override
    public List<ProcessAccount> accounts() {
        return List.of(new ProcessAccount(process.pid()));
    }

    @Override
    public Optional<Path> data() {
        return Optional.of(process.data());
    }

    @Override
    public void close() {
        process.close();
    }
}
