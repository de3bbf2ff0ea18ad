package io.millrace.txn;

import io.millrace.kernel.Decision;
import io.millrace.kernel.Machine;
import io.millrace.txn.TxnCommand.Answer;
import io.millrace.txn.TxnCommand.Describe;
import io.millrace.txn.TxnCommand.End;
import io.millrace.txn.TxnCommand.Init;
import io.millrace.txn.TxnCommand.Join;
import io.millrace.txn.TxnCommand.ListAll;
import io.millrace.txn.TxnCommand.MarkersWritten;
import io.millrace.txn.TxnCommand.OfTransaction;
import io.millrace.txn.TxnCommand.Resume;
import io.millrace.txn.TxnCommand.Verify;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The coordinator of the transactional ids that fall to one partition of the transaction log. */
public final class TransactionMachine implements Machine<TxnCommand, TxnEvent, TxnEffect> {
    private final TxnSettings settings;
    private final Transactions state = new Transactions();
    private final Initialising initialising;
    private final Joining joining = new Joining();
    private final Ending ending;

    public TransactionMachine(TxnSettings settings, ProducerIds producerIds) {
        this.settings = settings;
        Epochs epochs = new Epochs(settings.epochLimit(), producerIds);
        this.ending = new Ending(epochs);
        this.initialising = new Initialising(settings, epochs, ending);
    }

    /** What is known, for tests that compare a replayed machine with a live one. */
    public List<Transaction> transactions() {
        return state.all();
    }

    @Override
    public Decision<TxnEvent, TxnEffect> decide(TxnCommand command, long nowMs) {
        if (command instanceof OfTransaction about) {
            return decide(about, state.get(about.id()), nowMs);
        } else if (command instanceof MarkersWritten written) {
            return markersWritten(written, nowMs);
        } else if (command instanceof Resume resume) {
            return resume(resume);
        } else if (command instanceof Describe describe) {
            Optional<Transaction> found = Optional.ofNullable(state.get(describe.id()));
            return Decision.reply(reply(describe.reply(), found));
        } else if (command instanceof ListAll list) {
            return Decision.reply(reply(list.reply(), state.all()));
        }
        throw new IllegalStateException("no such command: " + command);
    }

    private Decision<TxnEvent, TxnEffect> decide(OfTransaction command, Transaction known, long nowMs) {
        Step step;
        if (command instanceof Init init) {
            step = initialising.decide(init, known, nowMs);
        } else if (command instanceof Join join) {
            step = joining.join(join, known, nowMs);
        } else if (command instanceof Verify verify) {
            step = joining.verify(verify, known);
        } else {
            step = ending.decide((End) command, known, nowMs);
        }
        return carryOut(command, step, nowMs);
    }

    private Decision<TxnEvent, TxnEffect> carryOut(OfTransaction command, Step step, long nowMs) {
        List<TxnEvent> events = new ArrayList<>();
        List<TxnEffect> effects = new ArrayList<>();
        if (step.changed() != null) {
            record(step.changed(), events, effects);
        }
        if (step.answer() != null) {
            effects.add(reply(command.reply(), step.answer()));
        } else {
            events.add(new TxnEvent.Parked(command, nowMs + Math.min(command.patienceMs(), settings.parkMs())));
        }
        return new Decision<>(events, effects);
    }

    /** Records a new state; an end that has been decided is brought to its partitions. */
    private static void record(Transaction changed, List<TxnEvent> events, List<TxnEffect> effects) {
        events.add(new TxnEvent.Changed(changed));
        if (changed.status().finishing()) {
            effects.add(markers(changed));
        }
    }

    private static TxnEffect markers(Transaction ending) {
        boolean commit = ending.status() == TxnStatus.PREPARE_COMMIT;
        return new TxnEffect.WriteMarkers(ending.id(), ending.marker(), commit, ending.partitions());
    }

    private Decision<TxnEvent, TxnEffect> markersWritten(MarkersWritten written, long nowMs) {
        Transaction known = state.get(written.id());
        TxnEffect done = reply(written.reply(), null);
        if (known == null || !written.marker().equals(known.marker())) {
            return Decision.reply(done); // heard of before
        }
        List<TxnEvent> events = new ArrayList<>(List.of(new TxnEvent.Changed(known.ended(nowMs))));
        List<TxnEffect> effects = new ArrayList<>(List.of(done));
        for (OfTransaction waited : state.parked(written.id())) {
            events.add(new TxnEvent.Unparked(waited));
            effects.add(new TxnEffect.Again(waited));
        }
        return new Decision<>(events, effects);
    }

    private Decision<TxnEvent, TxnEffect> resume(Resume resume) {
        List<TxnEffect> effects = new ArrayList<>();
        for (Transaction transaction : state.all()) {
            if (transaction.status().finishing()) {
                effects.add(markers(transaction));
            }
        }
        effects.add(reply(resume.reply(), null));
        return new Decision<>(List.of(), effects);
    }

    @Override
    public long nextDeadlineMs() {
        return state.nextDeadlineMs(settings.idExpirationMs());
    }

    @Override
    public Decision<TxnEvent, TxnEffect> onTime(long nowMs) {
        List<TxnEvent> events = new ArrayList<>();
        List<TxnEffect> effects = new ArrayList<>();
        for (Transaction overdue : state.overdue(nowMs, settings.idExpirationMs())) {
            if (overdue.status() == TxnStatus.ONGOING) {
                Transaction aborted = ending.abortOverdue(overdue, nowMs);
                if (aborted != null) {
                    record(aborted, events, effects);
                }
            } else {
                events.add(new TxnEvent.Forgotten(overdue.id()));
            }
        }
        for (OfTransaction waited : state.parkedTooLong(nowMs)) {
            events.add(new TxnEvent.Unparked(waited));
            Answer late = Answer.refused(
                    TxnError.STILL_FINISHING, "the last transaction of " + waited.id() + " is still being finished");
            effects.add(reply(waited.reply(), late));
        }
        return new Decision<>(events, effects);
    }

    @Override
    public void apply(TxnEvent event) {
        state.apply(event);
    }

    private static <R> TxnEffect reply(CompletableFuture<R> to, R answer) {
        return new TxnEffect.Reply(() -> to.complete(answer));
    }
}
