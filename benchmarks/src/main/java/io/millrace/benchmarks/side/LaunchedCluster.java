package io.millrace.benchmarks.side;

import io.millrace.benchmarks.measure.ProcessAccount;
import io.millrace.testbed.BrokerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A cluster that the run started. */
public record LaunchedCluster(String label, List<? extends BrokerProcess> nodes) implements Side, AutoCloseable {

    /** Starts all of them; returns when each answers. */
    public static LaunchedCluster start(String label, List<? extends BrokerProcess> nodes) {
        LaunchedCluster cluster = new LaunchedCluster(label, nodes);
        nodes.forEach(BrokerProcess::launch);
        nodes.forEach(BrokerProcess::awaitAnswer);
        return cluster;
    }

    @Override
    public String bootstrap() {
        return nodes.stream().map(BrokerProcess::bootstrap).collect(Collectors.joining(","));
    }

    @Override
    public List<ProcessAccount> accounts() {
        return nodes.stream().map(node -> new ProcessAccount(node.pid())).toList();
    }

    /** Each node has a folder of its own. */
    @Override
    public Optional<Path> data() {
        return Optional.empty();
    }

    @Override
    public void close() {
        nodes.forEach(BrokerProcess::close);
    }
}
