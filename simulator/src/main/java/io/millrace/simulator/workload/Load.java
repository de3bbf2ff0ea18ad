package io.millrace.simulator.workload;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.simulator.checker.CopyCheck;
import io.millrace.simulator.checker.Ledger;
import io.millrace.simulator.client.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.protocol.Errors;

/** All that the clients do. */
public final class Load {
    /** The shortest session of a group's member. */
    public static final int MIN_SESSION_MS = 1_500;

    private static final List<String> TOPICS = List.of("appends", "transfers");

    private final List<Bench> benches;
    private final List<TopicPartition> partitions;
    private final List<Workload> workloads = new ArrayList<>();
    private final List<Copying> copyings = new ArrayList<>();
    private final List<CopyCheck> copyChecks = new ArrayList<>();
    private final List<Reader> lastReaders = new ArrayList<>();
    private int created;

    /**
     * @param benches of clients that do many things each
     * @param rack of the reader that is in one
     * @param members of clients that are a member of a group each: whoever waits for its group holds up its connection
     */
    public Load(List<Bench> benches, List<Bench> members, int partitionsPerTopic, String rack) {
        this.benches = benches;
        this.partitions = TOPICS.stream()
                .flatMap(topic ->
                        IntStream.range(0, partitionsPerTopic).mapToObj(index -> new TopicPartition(topic, index)))
                .toList();
        List<TopicPartition> appends = of("appends");
        for (TopicPartition partition : appends) {
            workloads.add(new IdempotentAppends(benches.get(0), "i" + partition.partition(), partition));
            workloads.add(new Reader(benches.get(1), partition, IsolationLevel.READ_UNCOMMITTED));
            workloads.add(new Reader(benches.get(2), partition, IsolationLevel.READ_COMMITTED, rack));
        }
        workloads.add(new PlainAppends(benches.get(1), "p", appends));
        List<TopicPartition> transfers = of("transfers");
        workloads.add(new Transfers(benches.get(0), "t", partitions));
        workloads.add(new Transfers(benches.get(1), "u", transfers));
        for (TopicPartition partition : transfers) {
            workloads.add(new Reader(benches.get(1), partition, IsolationLevel.READ_COMMITTED));
        }
        Copies one = new Copies(benches.get(2), "copy", appends.get(0), transfers.get(0));
        copyings.addAll(one.copyings());
        workloads.add(one);
        addGroup(members, appends, transfers.get(transfers.size() - 1));
    }

    private void addGroup(List<Bench> members, List<TopicPartition> inputs, TopicPartition output) {
        GroupCopies.Work work = new GroupCopies.Work("group", inputs, output);
        for (Bench bench : members) {
            int sessionMs = MIN_SESSION_MS + bench.client().chance(MIN_SESSION_MS);
            workloads.add(new GroupCopies(bench, work, "slot-" + bench.client().name(), sessionMs));
        }
        copyings.addAll(work.copyings(benches.get(0)));
    }

    private List<TopicPartition> of(String topic) {
        return partitions.stream()
                .filter(partition -> partition.topic().equals(topic))
                .toList();
    }

    /** Somebody who works on the cluster itself, and sees it as it is. */
    public void operatedBy(Bench operator, int brokers, int replicas, Supplier<ClusterImage> image) {
        workloads.add(new Administration(operator, partitions, brokers, replicas, image));
    }

    public void createTopics(int replicas) {
        for (String topic : TOPICS) {
            Bench bench = benches.get(0);
            bench.then(
                    bench.client()
                            .insist(() -> bench.client()
                                    .call(
                                            bench.client().anyBroker(),
                                            Requests.createTopic(
                                                    topic, of(topic).size(), replicas),
                                            Requests.CREATE_TOPICS,
                                            CreateTopicsResponseData.class)
                                    .thenAccept(answer -> {
                                        short error =
                                                answer.topics().find(topic).errorCode();
                                        if (error != Errors.TOPIC_ALREADY_EXISTS.code()) {
                                            bench.client().check("create " + topic, error);
                                        }
                                    })),
                    done -> created++);
        }
    }

    public boolean isReady() {
        return created == TOPICS.size();
    }

    public void start() {
        workloads.forEach(Workload::start);
    }

    public void stop() {
        workloads.forEach(Workload::stop);
    }

    public boolean isIdle() {
        return workloads.stream().allMatch(Workload::isIdle);
    }

    /** Who still waits for an answer, or has not come to an end, for people. */
    public String busy() {
        Stream<Workload> busy = workloads.stream().filter(workload -> !workload.isIdle());
        Stream<Workload> reading = lastReaders.stream()
                .filter(reader -> !reader.position().isAtEnd())
                .map(Workload.class::cast);
        String offsets = "; " + copyChecks.size() + " offsets of " + copyings.size() + " are known";
        return Stream.concat(busy, reading).map(Workload::toString).collect(Collectors.joining(", ")) + offsets;
    }

    /** What the groups must have made of what they have read; known a while after {@link #readAll}. */
    public List<CopyCheck> copyChecks() {
        return copyChecks;
    }

    /** Reads everything once more from the start, with readers that have seen nothing yet. */
    public void readAll() {
        copyings.forEach(one -> one.bench().then(one.check(), copyChecks::add));
        for (TopicPartition partition : partitions) {
            for (IsolationLevel isolation : IsolationLevel.values()) {
                Reader reader = new Reader(benches.get(0), partition, isolation);
                lastReaders.add(reader);
                reader.start();
            }
        }
    }

    /** Whether the last readers have come to the ends of their partitions. */
    public boolean hasRead() {
        return copyChecks.size() == copyings.size()
                && lastReaders.stream().allMatch(reader -> reader.position().isAtEnd());
    }

    /** Whoever reads again and again what has been read makes a cluster busy for nothing. */
    public void readNoMore() {
        lastReaders.forEach(Reader::stop);
    }

    public SortedMap<TopicPartition, NavigableMap<Long, String>> all() {
        return read(false);
    }

    public SortedMap<TopicPartition, NavigableMap<Long, String>> committed() {
        return read(true);
    }

    private SortedMap<TopicPartition, NavigableMap<Long, String>> read(boolean committedOnly) {
        SortedMap<TopicPartition, NavigableMap<Long, String>> read = new TreeMap<>(Ledger.BY_NAME);
        lastReaders.stream()
                .map(Reader::position)
                .filter(position -> position.committedOnly() == committedOnly)
                .forEach(position -> read.put(position.partition(), position.delivered()));
        return read;
    }
}
