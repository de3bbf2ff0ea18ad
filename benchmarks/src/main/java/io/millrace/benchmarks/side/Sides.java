package io.millrace.benchmarks.side;

import io.millrace.testbed.BrokerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The two brokers that most workloads share. They stay up for the whole run, since the first load on a cold broker costs several
 * times more than later ones; the one that is not measured is idle.
 */
public final class Sides implements AutoCloseable {
    private final Path folder;
    private final List<Side> attached;
    private final List<LaunchedSide> launched = new ArrayList<>();

    /** @param attached empty for sides that the run starts itself, when they are first asked for */
    public Sides(Path folder, List<? extends Side> attached) {
        this.folder = folder;
        this.attached = List.copyOf(attached);
    }

    public boolean areAttached() {
        return !attached.isEmpty();
    }

    /** Ours first. */
    public List<? extends Side> all() {
        if (areAttached()) {
            return attached;
        }
        if (launched.isEmpty()) {
            launch();
        }
        return launched;
    }

    public Side ours() {
        return all().get(0);
    }

    private void launch() {
        for (Product product : Product.values()) {
            BrokerProcess process = product.prepare(folder.resolve(product.label()));
            launched.add(new LaunchedSide(product.label(), process));
            process.startAgain();
        }
    }

    @Override
    public void close() {
        launched.forEach(LaunchedSide::close);
    }
}
