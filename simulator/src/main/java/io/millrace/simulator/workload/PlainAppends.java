package io.millrace.simulator.workload;

import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.NoAnswer;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Records that are sent once, with acks=all: what is acknowledged is there, the rest perhaps. */
public final class PlainAppends extends Turns {
    private static final int MAX_PAUSE_MS = 150;

    private final String name;
    private final List<TopicPartition> partitions;
    private int sent;

    public PlainAppends(Bench bench, String name, List<TopicPartition> partitions) {
        super(bench);
        this.name = name;
        this.partitions = partitions;
    }

    @Override
    public void start() {
        next(this::append);
    }

    private void append() {
        TopicPartition partition = partitions.get(bench().client().chance(partitions.size()));
        List<String> values = Bench.values(1 + bench().client().chance(3), i -> name + "." + sent++);
        bench().append(partition, null, Bench.batch(null, false, -1, values)).whenComplete((offset, failure) -> {
            if (failure == null) {
                bench().guard(() -> bench().acknowledged(partition, offset, values));
            } else if (!(Client.cause(failure) instanceof NoAnswer)) {
                bench().unexpected().accept(failure);
            }
            pause(MAX_PAUSE_MS, this::append);
        });
    }

    @Override
    public String toString() {
        return "appends of " + name;
    }
}
