package io.millrace.txn;

import io.millrace.kernel.EventCodec;
import io.millrace.kernel.MachineHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** A coordinator on a journal in memory whose entries are committed at once; markers are written on demand. */
final class TxnWorld {
    private final TxnSettings settings;
    private final List<EventCodec.Entry> journal = new ArrayList<>();
    private final List<TxnEffect.WriteMarkers> underWay = new ArrayList<>();
    private TransactionMachine machine;
    private MachineHost<TxnCommand, TxnEvent, TxnEffect> host;
    private long nextProducerId = 1;
    private long nowMs = 1_000_000;

    TxnWorld(TxnSettings settings) {
        this.settings = settings;
        start();
    }

    private void start() {
        machine = new TransactionMachine(settings, () -> OptionalLong.of(nextProducerId++));
        host = new MachineHost<>(
                machine,
                new TxnCodec(),
                entries -> {
                    journal.addAll(entries);
                    return journal.size();
                },
                this::perform,
                (command, failure) -> command.reply().completeExceptionally(failure));
        journal.forEach(host::replay);
        host.committed(Long.MAX_VALUE);
    }

    /** The process ends; a new one replays the journal. What was under way outside is lost. */
    void restart() {
        List<Transaction> before = machine.transactions();
        underWay.clear();
        start();
        if (!machine.transactions().equals(before)) {
            throw new AssertionError("replayed " + machine.transactions() + " is not what was live: " + before);
        }
        send(new TxnCommand.Resume(new CompletableFuture<>()));
    }

    private void perform(TxnEffect effect) {
        if (effect instanceof TxnEffect.Reply reply) {
            reply.completion().run();
        } else if (effect instanceof TxnEffect.WriteMarkers markers) {
            underWay.add(markers);
        } else if (effect instanceof TxnEffect.Again again) {
            send(again.command());
        }
    }

    private void send(TxnCommand command) {
        host.command(command, nowMs);
    }

    void passTime(long ms) {
        nowMs += ms;
        host.onTime(nowMs);
    }

    ProducerIdentity init(String id) {
        return Objects.requireNonNull(initLater(id, null).join().identity());
    }

    CompletableFuture<TxnCommand.Answer> initLater(String id, ProducerIdentity expected) {
        CompletableFuture<TxnCommand.Answer> reply = new CompletableFuture<>();
        send(new TxnCommand.Init(id, 60_000, expected, reply));
        return reply;
    }

    TxnCommand.Answer initWithTimeout(String id, int timeoutMs) {
        CompletableFuture<TxnCommand.Answer> reply = new CompletableFuture<>();
        send(new TxnCommand.Init(id, timeoutMs, null, reply));
        return reply.join();
    }

    void join(String id, ProducerIdentity who, TxnPartition... partitions) {
        TxnCommand.Answer answer = joinLater(id, who, partitions).join();
        if (answer.error() != TxnError.NONE) {
            throw new AssertionError(answer);
        }
    }

    CompletableFuture<TxnCommand.Answer> joinLater(String id, ProducerIdentity who, TxnPartition... partitions) {
        return joinWithin(TxnCommand.PATIENT_MS, id, who, partitions);
    }

    CompletableFuture<TxnCommand.Answer> joinWithin(
            long patienceMs, String id, ProducerIdentity who, TxnPartition... partitions) {
        CompletableFuture<TxnCommand.Answer> reply = new CompletableFuture<>();
        send(new TxnCommand.Join(id, who, new TreeSet<>(List.of(partitions)), patienceMs, reply));
        return reply;
    }

    TxnCommand.Answer verify(String id, ProducerIdentity who, TxnPartition... partitions) {
        CompletableFuture<TxnCommand.Answer> reply = new CompletableFuture<>();
        send(new TxnCommand.Verify(id, who, new TreeSet<>(List.of(partitions)), TxnCommand.PATIENT_MS, reply));
        return reply.join();
    }

    TxnCommand.Answer end(String id, ProducerIdentity who, boolean commit, boolean raisesEpoch) {
        CompletableFuture<TxnCommand.Answer> reply = new CompletableFuture<>();
        send(new TxnCommand.End(id, who, commit, raisesEpoch, reply));
        return reply.join();
    }

    TxnEffect.WriteMarkers markersUnderWay(String id) {
        return underWay.stream()
                .filter(markers -> markers.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no markers are under way for " + id));
    }

    void writeMarkers() {
        List<TxnEffect.WriteMarkers> all = List.copyOf(underWay);
        underWay.clear();
        all.forEach(this::reportWritten);
    }

    void reportWritten(TxnEffect.WriteMarkers markers) {
        send(new TxnCommand.MarkersWritten(markers.id(), markers.marker(), new CompletableFuture<>()));
    }

    /** Null where the id is not known. */
    TxnStatus status(String id) {
        return machine.transactions().stream()
                .filter(transaction -> transaction.id().equals(id))
                .map(Transaction::status)
                .findFirst()
                .orElse(null);
    }

    ProducerIdentity current(String id) {
        return machine.transactions().stream()
                .filter(transaction -> transaction.id().equals(id))
                .map(Transaction::current)
                .findFirst()
                .orElseThrow();
    }
}
