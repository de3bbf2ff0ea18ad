package io.millrace.simulator.client;

import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.Timers;
import io.millrace.kernel.sim.SimMachine;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** A client on a machine of its own: connections to brokers, and who leads and coordinates what as far as it knows. */
public final class Client {
    private static final long TIMEOUT_MS = 4_000;
    private static final int MAX_PAUSE_MS = 200;

    private final Host host;
    private final Loop<Runnable> loop;
    private final String name;
    private final Map<Integer, String> brokers;
    private final int port;
    private final Map<Integer, ClientConnection> connections = new TreeMap<>();
    private final Map<String, Integer> places = new TreeMap<>();
    private final Map<TopicPartition, Integer> epochs = new HashMap<>();

    /** @param brokers the machine of each */
    public Client(SimMachine machine, Map<Integer, String> brokers, int port) {
        this.name = machine.name();
        this.host = machine.boot();
        this.loop = host.loops().start("client", 1024, Runnable::run);
        this.brokers = new TreeMap<>(brokers);
        this.port = port;
    }

    public String name() {
        return name;
    }

    public int chance(int bound) {
        return host.entropy().nextInt(bound);
    }

    public void after(long delayMs, Runnable task) {
        host.timers().after(delayMs, loop, task);
    }

    /** Some broker, whichever. */
    public int anyBroker() {
        return 1 + chance(brokers.size());
    }

    /** Asks a broker. The answer fails with {@link NoAnswer} where there is none in time. */
    public <R extends ApiMessage> CompletableFuture<R> call(
            int broker, ApiMessage request, int version, Class<R> type) {
        ClientConnection known = connections.get(broker);
        if (known == null || known.isClosed()) {
            host.network().connect(brokers.get(broker), port, Integer.MAX_VALUE, connection -> {
                ClientConnection made = new ClientConnection(connection);
                connections.put(broker, made);
                return made;
            });
        }
        ClientConnection used = connections.get(broker);
        CompletableFuture<ApiMessage> answer = used.call(request, (short) version);
        Timers.Timer patience = host.timers().after(TIMEOUT_MS, loop, () -> {
            if (!answer.isDone()) {
                used.close("no answer in time");
            }
        });
        return answer.whenComplete((done, failure) -> patience.cancel()).thenApply(type::cast);
    }

    public boolean isConnected(int broker) {
        ClientConnection known = connections.get(broker);
        return known != null && !known.isClosed();
    }

    /** Does something again and again until it has an answer, or is {@link Refused}. */
    public <R> CompletableFuture<R> insist(Supplier<CompletableFuture<R>> attempt) {
        CompletableFuture<R> done = new CompletableFuture<>();
        insist(attempt, done);
        return done;
    }

    private <R> void insist(Supplier<CompletableFuture<R>> attempt, CompletableFuture<R> done) {
        attempt.get().whenComplete((answer, failure) -> {
            Throwable cause = cause(failure);
            if (cause == null) {
                done.complete(answer);
            } else if (cause instanceof NoAnswer) {
                after(1 + chance(MAX_PAUSE_MS), () -> insist(attempt, done));
            } else {
                done.completeExceptionally(cause);
            }
        });
    }

    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    /** Asks whoever leads a partition; the request is made when that is known, for it may name the epoch of the leader. */
    public <R extends ApiMessage> CompletableFuture<R> askLeader(
            TopicPartition partition, Supplier<? extends ApiMessage> request, int version, Class<R> type) {
        return at(
                "leader " + partition,
                () -> findLeader(partition),
                leader -> call(leader, request.get(), version, type));
    }

    /** Asks the coordinator of a transactional id or a group. */
    public <R extends ApiMessage> CompletableFuture<R> askCoordinator(
            Requests.Kind kind, String key, ApiMessage request, int version, Class<R> type) {
        return at(
                "coordinator " + kind + " " + key,
                () -> findCoordinator(kind, key),
                node -> call(node, request, version, type));
    }

    private <R> CompletableFuture<R> at(
            String what, Supplier<CompletableFuture<Integer>> find, Function<Integer, CompletableFuture<R>> ask) {
        Integer known = places.get(what);
        CompletableFuture<Integer> place = known == null ? find.get() : CompletableFuture.completedFuture(known);
        return place.thenCompose(node -> {
                    places.put(what, node);
                    return ask.apply(node);
                })
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        places.remove(what);
                    }
                });
    }

    /** To be called where an answer says that somebody else is to be asked. */
    public void forgetPlaces() {
        places.clear();
    }

    private CompletableFuture<Integer> findLeader(TopicPartition partition) {
        return call(anyBroker(), Requests.metadata(partition.topic()), Requests.METADATA, MetadataResponseData.class)
                .thenApply(answer -> {
                    MetadataResponseData.MetadataResponseTopic topic =
                            answer.topics().find(partition.topic());
                    check("metadata", topic.errorCode());
                    return topic.partitions().stream()
                            .filter(one -> one.partitionIndex() == partition.partition())
                            .filter(one -> isNews(partition, one.leaderEpoch()))
                            .map(MetadataResponseData.MetadataResponsePartition::leaderId)
                            .filter(brokers::containsKey)
                            .findFirst()
                            .orElseThrow(() -> new NoAnswer(partition + " has no leader"));
                });
    }

    /** A broker that has not heard of the newest leader yet must not lead a client back to an old one. */
    private boolean isNews(TopicPartition partition, int epoch) {
        return epochs.merge(partition, epoch, Math::max) == epoch;
    }

    /** The newest epoch of a partition's leaders that this client has heard of, or -1. */
    public int leaderEpoch(TopicPartition partition) {
        return epochs.getOrDefault(partition, -1);
    }

    private CompletableFuture<Integer> findCoordinator(Requests.Kind kind, String key) {
        return call(
                        anyBroker(),
                        Requests.findCoordinator(kind, key),
                        Requests.FIND_COORDINATOR,
                        FindCoordinatorResponseData.class)
                .thenApply(answer -> {
                    check("coordinator", answer.coordinators().get(0).errorCode());
                    return answer.coordinators().get(0).nodeId();
                });
    }

    /** Throws {@link NoAnswer} for an error after which one tries again, {@link Refused} for others. */
    public void check(String what, short errorCode) {
        Errors error = Errors.forCode(errorCode);
        if (error == Errors.NONE) {
            return;
        }
        if (error.exception() instanceof RetriableException) {
            places.clear();
            throw new NoAnswer(what + ": " + error);
        }
        throw new Refused(what, error);
    }

    /** Runs a task with the answer; a failure that nobody expects is a fault of the broker, or of the task. */
    public static <R> void then(CompletableFuture<R> answer, Consumer<R> task, Consumer<Throwable> unexpected) {
        answer.whenComplete((value, failure) -> {
            try {
                if (failure == null) {
                    task.accept(value);
                } else {
                    unexpected.accept(cause(failure));
                }
            } catch (RuntimeException e) {
                unexpected.accept(e);
            }
        });
    }
}
