package io.millrace.broker.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Transactions: list, describe, find those that hang, abort. */
@Command(
        name = "transactions",
        description = "Lists and describes transactions, finds those that hang, and aborts them.",
        mixinStandardHelpOptions = true)
final class TransactionsCommand {

    @Command(description = "Lists transactional ids with their state.", mixinStandardHelpOptions = true)
    int list(@Mixin ClusterOptions cluster) throws Exception {
        try (Admin admin = cluster.admin()) {
            Rows rows = cluster.rows("transactional-id", "producer-id", "state");
            Answer.of(admin.listTransactions().all()).stream()
                    .sorted(Comparator.comparing(TransactionListing::transactionalId))
                    .forEach(one -> rows.add(
                            one.transactionalId(), one.producerId(), one.state().toString()));
            rows.print();
        }
        return 0;
    }

    @Command(description = "Shows what a transactional id is doing.", mixinStandardHelpOptions = true)
    int describe(@Mixin ClusterOptions cluster, @Parameters(paramLabel = "TRANSACTIONAL-ID") String id)
            throws Exception {
        try (Admin admin = cluster.admin()) {
            TransactionDescription one =
                    Answer.of(admin.describeTransactions(List.of(id)).all()).get(id);
            Rows rows = cluster.rows(
                    "transactional-id", "producer-id", "epoch", "state", "timeout-ms", "started-ms", "partitions");
            rows.add(
                    id,
                    one.producerId(),
                    one.producerEpoch(),
                    one.state().toString(),
                    one.transactionTimeoutMs(),
                    one.transactionStartTimeMs().isPresent()
                            ? one.transactionStartTimeMs().getAsLong()
                            : null,
                    one.topicPartitions().stream()
                            .map(TopicPartition::toString)
                            .sorted()
                            .toList());
            rows.print();
        }
        return 0;
    }

    @Command(
            name = "hanging",
            description = "Finds transactions that are open on a partition for too long or that no coordinator knows.",
            mixinStandardHelpOptions = true)
    int hanging(
            @Mixin ClusterOptions cluster,
            @Option(
                            names = "--older-than",
                            paramLabel = "DURATION",
                            defaultValue = "PT15M",
                            description = "ISO-8601, such as PT15M (default: ${DEFAULT-VALUE})")
                    Duration olderThan)
            throws Exception {
        try (Admin admin = cluster.admin()) {
            Map<Long, TransactionListing> byProducer = Answer.of(
                            admin.listTransactions().all())
                    .stream()
                    .collect(Collectors.toMap(TransactionListing::producerId, one -> one, (one, other) -> one));
            Rows rows = cluster.rows("topic", "partition", "producer-id", "epoch", "start-offset", "silent-ms", "why");
            long nowMs = System.currentTimeMillis();
            for (Open open : open(admin)) {
                TransactionListing known = byProducer.get(open.producer().producerId());
                long silentMs = nowMs - open.producer().lastTimestamp();
                if (silentMs < olderThan.toMillis()) {
                    continue;
                }
                String why = known == null
                        ? "no coordinator knows it"
                        : "transactional id " + known.transactionalId() + " is " + known.state();
                rows.add(
                        open.partition().topic(),
                        open.partition().partition(),
                        open.producer().producerId(),
                        open.producer().producerEpoch(),
                        open.producer().currentTransactionStartOffset().getAsLong(),
                        silentMs,
                        why);
            }
            rows.print();
        }
        return 0;
    }

    private static List<Open> open(Admin admin) throws Exception {
        List<TopicPartition> partitions = new ArrayList<>();
        var names = Answer.of(
                admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
        Answer.of(admin.describeTopics(names).allTopicNames())
                .forEach((name, topic) -> topic.partitions()
                        .forEach(partition -> partitions.add(new TopicPartition(name, partition.partition()))));
        List<Open> open = new ArrayList<>();
        for (Map.Entry<TopicPartition, PartitionProducerState> entry :
                Answer.of(admin.describeProducers(partitions).all()).entrySet()) {
            for (ProducerState producer : entry.getValue().activeProducers()) {
                if (producer.currentTransactionStartOffset().isPresent()) {
                    open.add(new Open(entry.getKey(), producer));
                }
            }
        }
        open.sort(Comparator.comparing(one -> one.partition().toString()));
        return open;
    }

    private record Open(TopicPartition partition, ProducerState producer) {}

    @Command(
            description = "Aborts what is open: of a transactional id everywhere, or from one offset on one partition.",
            mixinStandardHelpOptions = true)
    int abort(
            @Mixin ClusterOptions cluster,
            @Option(names = "--id", paramLabel = "TRANSACTIONAL-ID", description = "shuts out its producer, too")
                    String id,
            @Option(names = "--topic") String topic,
            @Option(names = "--partition") Integer partition,
            @Option(names = "--start-offset", description = "as 'transactions hanging' shows it") Long startOffset)
            throws Exception {
        boolean onePlace = topic != null && partition != null && startOffset != null;
        if ((id == null) == !onePlace) {
            throw new IllegalArgumentException("give --id, or --topic with --partition and --start-offset");
        }
        try (Admin admin = cluster.admin()) {
            if (id != null) {
                Answer.of(admin.fenceProducers(List.of(id)).all());
                System.out.println("aborted what " + id + " had open, and shut out its producer");
            } else {
                abort(admin, new TopicPartition(topic, partition), startOffset);
            }
        }
        return 0;
    }

    private static void abort(Admin admin, TopicPartition partition, long startOffset)
            throws ExecutionException, InterruptedException {
        PartitionProducerState state =
                Answer.of(admin.describeProducers(List.of(partition)).all()).get(partition);
        Map<Long, ProducerState> byStart = new HashMap<>();
        state.activeProducers()
                .forEach(producer ->
                        producer.currentTransactionStartOffset().ifPresent(start -> byStart.put(start, producer)));
        ProducerState producer = byStart.get(startOffset);
        if (producer == null) {
            throw new IllegalStateException("no transaction is open on " + partition + " from offset " + startOffset
                    + "; open are those from " + byStart.keySet());
        }
        Answer.of(admin.abortTransaction(new AbortTransactionSpec(
                        partition,
                        producer.producerId(),
                        (short) producer.producerEpoch(),
                        producer.coordinatorEpoch().orElse(0)))
                .all());
        System.out.println("aborted the transaction of producer " + producer.producerId() + " on " + partition);
    }
}
