package io.millrace.broker.cli;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.broker.log.Damage;
import io.millrace.broker.log.PartitionLog;
import io.millrace.broker.partition.StoppedLogs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The logs of a broker that is stopped: which are damaged, and how to go on without what is lost. */
@Command(
        name = "log",
        description = "Looks for damages in the logs of a stopped broker, and leaves out what is lost.",
        mixinStandardHelpOptions = true)
final class LogCommand {

    @Command(
            description = "Reads all records and lists those that are damaged. Exit code 1 if there are any.",
            mixinStandardHelpOptions = true)
    int check(
            @Option(names = "--data", paramLabel = "DIR", required = true, description = "the broker's data")
                    Path data) {
        int damages = 0;
        try (StoppedLogs logs = open(data)) {
            for (TopicPartition partition : logs.partitions()) {
                PartitionLog log = logs.open(partition, System.currentTimeMillis());
                damages += print(partition, log.damages());
                log.close(false);
            }
            System.out.printf("%d partitions, %d damages%n", logs.partitions().size(), damages);
        }
        return damages == 0 ? 0 : 1;
    }

    @Command(
            description =
                    "Leaves out the damaged records of a partition: readers go on behind them. Use it where no other replica has them.",
            mixinStandardHelpOptions = true)
    int skip(
            @Option(names = "--data", paramLabel = "DIR", required = true, description = "the broker's data") Path data,
            @Parameters(paramLabel = "TOPIC-PARTITION", description = "as 'millrace log check' names it")
                    String partition) {
        try (StoppedLogs logs = open(data)) {
            TopicPartition name = logs.partitions().stream()
                    .filter(one -> one.toString().equals(partition))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "there is no partition " + partition + " in " + data + "; it has " + logs.partitions()));
            PartitionLog log = logs.open(name, System.currentTimeMillis());
            List<Damage> damages = new ArrayList<>(log.damages());
            print(name, damages);
            // one segment at a time, with all that is damaged in it
            for (List<Damage> left = damages; !left.isEmpty(); left = log.damages()) {
                log.leaveOutDamages(left.get(0).offset(), System.currentTimeMillis());
            }
            log.close(true);
            System.out.printf("%s: %d damages left out%n", name, damages.size());
        }
        return 0;
    }

    private static StoppedLogs open(Path data) {
        return EmbeddedBroker.stoppedLogs(data);
    }

    private static int print(TopicPartition partition, List<Damage> damages) {
        damages.forEach(damage -> System.out.printf(
                "%s: the offsets from %d to %d are lost: %s%n",
                partition, damage.offset(), damage.nextOffset() - 1, damage.what()));
        return damages.size();
    }
}
