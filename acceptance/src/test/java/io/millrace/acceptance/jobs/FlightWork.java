package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testbed.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The flight job as several processes with two workers each, fed at a steady pace, with every flight going into a table
 * that has no key and into sums by airport and hour.
 */
public final class FlightWork implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int STAGES = 3;

    private final String bootstrap;
    private final Path folder;
    private final String database;
    private final int flightsPerSecond;
    private final FlightFeed feed;
    private final ChildProcess[] processes;

    /** Begins to feed and starts the processes; returns when they have begun, for their topics need all brokers. */
    public FlightWork(String bootstrap, Path folder, String database, int processes, int flightsPerSecond)
            throws Exception {
        this.bootstrap = bootstrap;
        this.folder = folder;
        this.database = database;
        this.flightsPerSecond = flightsPerSecond;
        this.feed = new FlightFeed(bootstrap, flightsPerSecond);
        this.processes = new ChildProcess[processes];
        for (int i = 0; i < processes; i++) {
            startJob(i);
        }
        feed.start();
        awaitBegun();
    }

    private void awaitBegun() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            await("each stage has committed").atMost(PATIENCE).untilAsserted(() -> {
                assertAlive();
                assertThat(lags(admin)).hasSize(STAGES);
            });
        }
    }

    private void startJob(int index) {
        Path own = folder.resolve("job-" + index);
        try {
            Files.createDirectories(own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments = new ArrayList<>(List.of("--follow", "--each-flight", "--workers", "2"));
        arguments.addAll(List.of("--bootstrap", bootstrap, "--jdbc", database, "--embedded", own.toString()));
        processes[index] = FatJar.start("flight-delays", own, arguments.toArray(String[]::new));
    }

    /** Returns when flights have been acknowledged for about this long, or less if the cluster catches up. */
    void awaitFed(Duration about) {
        long enough = feed.acknowledged() + about.toMillis() * flightsPerSecond / 1000;
        await("flights are acknowledged").atMost(PATIENCE).until(() -> feed.acknowledged() >= enough);
    }

    /** Lets one of the processes run for a moment, kills it, and starts it again after another. */
    void killOne(Random random, Duration latest) {
        int index = random.nextInt(processes.length);
        int latestMs = (int) latest.toMillis();
        ChildProcess victim = processes[index];
        boolean ended = victim.awaitExit(Duration.ofMillis(random.nextInt(latestMs)));
        assertThat(ended).as(() -> "a job ended by itself: " + victim.output()).isFalse();
        victim.killHard();
        awaitFed(Duration.ofMillis(random.nextInt(latestMs)));
        startJob(index);
    }

    /** Ends the feed, waits until the job has caught up, stops it and looks into the tables. */
    public FlightTables finish() throws Exception {
        int fed = feed.stop();
        await("the job has caught up").atMost(PATIENCE).untilAsserted(this::assertCaughtUp);
        for (ChildProcess process : processes) {
            process.stop(PATIENCE);
        }
        return FlightTables.compare(database, fed);
    }

    private void assertCaughtUp() throws ExecutionException, InterruptedException {
        assertAlive();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            Map<String, Long> lags = lags(admin);
            assertThat(lags).hasSize(STAGES);
            assertThat(lags.values()).as("lags %s", lags).containsOnly(0L);
        }
    }

    private void assertAlive() {
        for (ChildProcess process : processes) {
            assertThat(process.isAlive())
                    .as(() -> "a job ended by itself: " + process.output())
                    .isTrue();
        }
    }

    /** By group, of those that have committed anything. */
    private static Map<String, Long> lags(Admin admin) throws ExecutionException, InterruptedException {
        Map<String, Long> lags = new HashMap<>();
        for (GroupListing group : admin.listGroups().all().get()) {
            if (group.groupId().startsWith("flight-delays")) {
                Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group.groupId())
                        .partitionsToOffsetAndMetadata()
                        .get();
                if (!committed.isEmpty()) {
                    lags.put(group.groupId(), lag(admin, committed));
                }
            }
        }
        return lags;
    }

    private static long lag(Admin admin, Map<TopicPartition, OffsetAndMetadata> committed)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        committed.keySet().forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        long lag = 0;
        for (var end : admin.listOffsets(asked).all().get().entrySet()) {
            lag += end.getValue().offset() - committed.get(end.getKey()).offset();
        }
        return lag;
    }

    @Override
    public void close() {
        feed.close();
        for (ChildProcess process : processes) {
            if (process != null) {
                process.close();
            }
        }
    }
}
