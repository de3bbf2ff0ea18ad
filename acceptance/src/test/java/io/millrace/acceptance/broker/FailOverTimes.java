package io.millrace.acceptance.broker;

import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * Measures how long a client is not answered when a broker goes: no test, so it runs only when it is asked for. {@code
 * -Dmillrace.rounds=N} of each kind; {@code -Dmillrace.roles=LEADER,CONTROLLER} for some of the roles alone.
 */
class FailOverTimes {
    private static final int ROUNDS = Integer.getInteger("millrace.rounds", 20);
    private static final String ROLES = System.getProperty("millrace.roles", "");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final TopicPartition BESIDE = new TopicPartition("beside", 0);
    /** What else the brokers have, and hand over when they go. */
    private static final int PARTITIONS_BESIDE = 100;

    private static final int STEADY = 100;
    /**
     * So long a client waits for a broker that says nothing, or does not even take its connection, before it looks for
     * another one. The defaults of 30 s and 10 s would be all that is measured where a broker falls silent.
     */
    private static final String CLIENT_PATIENCE_MS = "500";

    private int round;

    @Test
    void measure() throws Exception {
        try (FaultBed bed = FaultBed.timed(Folders.create("fail-over"))) {
            new Place(bed, BESIDE.topic()).create(new NewTopic(BESIDE.topic(), PARTITIONS_BESIDE, (short) 3));
            bed.missing().forEach(line -> System.out.println("NOT DONE HERE: " + line));
            for (Role role : Role.values()) {
                if (!ROLES.isEmpty() && !List.of(ROLES.split(",")).contains(role.name())) {
                    continue;
                }
                for (Fault fault : Fault.toInflict(bed, Fault.KILL, Fault.PAUSE, Fault.CUT_OFF, Fault.STOP)) {
                    print(role, fault, measure(bed, role, fault));
                }
            }
        }
    }

    private static void print(Role role, Fault fault, List<Long> timesMs) {
        Collections.sort(timesMs);
        System.out.printf(
                "%-40s %-8s median %,7d ms, worst %,7d ms of %d%n",
                role.text,
                fault,
                timesMs.get((timesMs.size() - 1) / 2),
                timesMs.get(timesMs.size() - 1),
                timesMs.size());
    }

    private List<Long> measure(FaultBed bed, Role role, Fault fault) throws Exception {
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            bed.cluster().awaitInSync();
            bed.cluster().electPreferredLeaders();
            times.add(once(bed, role, fault));
        }
        return times;
    }

    private long once(FaultBed bed, Role role, Fault fault) throws Exception {
        Place place = new Place(bed, "round-" + round++);
        int victim = role.victim(place);
        place.createTopic(role == Role.LEADER || role == Role.CONTROLLER ? victim : place.neither(victim));
        try (RepeatedCall load = role.load(place)) {
            awaitSteady(load);
            load.clock().begin();
            Instant began = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            Runnable end = fault.begin(bed, victim);
            awaitSteady(load);
            long longestMs = load.clock().longestMs();
            System.out.printf("  %s at %s, broker %d %s: %,d ms%n", place.name, began, victim, fault, longestMs);
            end.run();
            return longestMs;
        } finally {
            place.deleteTopic();
        }
    }

    private static void awaitSteady(RepeatedCall load) {
        long enough = load.answers() + STEADY;
        await("answers").atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> load.answers() >= enough);
    }

    /** Whose loss is measured, and by what. */
    private enum Role {
        LEADER("produce, its leader lost") {
            @Override
            int victim(Place place) throws Exception {
                return place.neither(place.controller());
            }

            @Override
            RepeatedCall load(Place place) {
                return RepeatedCall.produce(place.client(), place.partition());
            }
        },
        CONTROLLER("produce, leader and controller in one lost") {
            @Override
            int victim(Place place) throws Exception {
                return place.controller();
            }

            @Override
            RepeatedCall load(Place place) {
                return RepeatedCall.produce(place.client(), place.partition());
            }
        },
        TRANSACTIONS("transactions, their coordinator lost") {
            @Override
            int victim(Place place) throws Exception {
                return place.transactionCoordinator();
            }

            @Override
            RepeatedCall load(Place place) {
                return RepeatedCall.commitTransactions(place.client(), place.name, place.partition());
            }
        },
        OFFSETS("offsets, their coordinator lost") {
            @Override
            int victim(Place place) throws Exception {
                return place.groupCoordinator();
            }

            @Override
            RepeatedCall load(Place place) {
                return RepeatedCall.commitOffsets(place.client(), place.name, place.partition());
            }
        };

        private final String text;

        Role(String text) {
            this.text = text;
        }

        abstract int victim(Place place) throws Exception;

        abstract RepeatedCall load(Place place);
    }

    /** One topic, transactional id and group, and where they live. */
    private record Place(FaultBed bed, String name) {
        Map<String, Object> client() {
            Map<String, Object> settings = new HashMap<>();
            settings.put("bootstrap.servers", bed.cluster().bootstrap());
            settings.put("request.timeout.ms", CLIENT_PATIENCE_MS);
            settings.put("socket.connection.setup.timeout.ms", CLIENT_PATIENCE_MS);
            settings.put("socket.connection.setup.timeout.max.ms", CLIENT_PATIENCE_MS);
            return settings;
        }

        TopicPartition partition() {
            return new TopicPartition(name, 0);
        }

        private Admin admin() {
            return Admin.create(Map.of("bootstrap.servers", bed.cluster().bootstrap()));
        }

        /** Led by this node. */
        void createTopic(int leader) throws ExecutionException, InterruptedException {
            List<Integer> replicas = new ArrayList<>(List.of(leader));
            replicas.addAll(bed.others(leader));
            create(new NewTopic(name, Map.of(0, replicas)));
        }

        void create(NewTopic topic) throws ExecutionException, InterruptedException {
            try (Admin admin = admin()) {
                admin.createTopics(List.of(topic)).all().get();
            }
        }

        void deleteTopic() throws ExecutionException, InterruptedException {
            try (Admin admin = admin()) {
                admin.deleteTopics(List.of(name)).all().get();
            }
        }

        int controller() throws ExecutionException, InterruptedException {
            try (Admin admin = admin()) {
                return admin.describeMetadataQuorum().quorumInfo().get().leaderId();
            }
        }

        /** A node that is not this one, and if possible not the controller. */
        int neither(int node) throws ExecutionException, InterruptedException {
            int controller = controller();
            return bed.others(node).stream()
                    .filter(other -> other != controller)
                    .findFirst()
                    .orElseThrow();
        }

        int transactionCoordinator() throws ExecutionException, InterruptedException {
            Map<String, Object> settings = client();
            settings.put("transactional.id", name);
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
                producer.initTransactions(); // the coordinator knows it from now on
            }
            try (Admin admin = admin()) {
                return admin.describeTransactions(List.of(name))
                        .description(name)
                        .get()
                        .coordinatorId();
            }
        }

        int groupCoordinator() throws ExecutionException, InterruptedException {
            Map<String, Object> settings = client();
            settings.put("group.id", name);
            try (KafkaConsumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                consumer.commitSync(Map.of(BESIDE, new OffsetAndMetadata(0))); // the coordinator knows it from now on
            }
            try (Admin admin = admin()) {
                return admin.describeClassicGroups(List.of(name))
                        .describedGroups()
                        .get(name)
                        .get()
                        .coordinator()
                        .id();
            }
        }
    }
}
