package io.millrace.broker.quorum;

import com.google.protobuf.ByteString;
import io.millrace.broker.metadata.proto.KeyAndValue;
import io.millrace.broker.metadata.proto.ProposalRecord;
import io.millrace.broker.metadata.proto.QuorumSnapshot;
import io.millrace.kernel.EventCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The newest value of each key, and which units count: the same on every node, because it follows from the log alone.
 *
 * <pre>
 * not formed --unit 0, the last of those that form--> formed   its state begins with them, and others count from now on
 * </pre>
 */
final class QuorumState {
    private final Map<ByteString, KeyAndValue> newest = new LinkedHashMap<>(); // in the order of the last updates
    private boolean formed;
    private long lastTerm;
    private long lastNumber;

    static QuorumState of(QuorumSnapshot snapshot) {
        QuorumState state = new QuorumState();
        state.formed = snapshot.getFormed();
        state.lastTerm = snapshot.getLastTerm();
        state.lastNumber = snapshot.getLastNumber();
        snapshot.getEntriesList().forEach(state::put);
        return state;
    }

    boolean formed() {
        return formed;
    }

    /**
     * Takes in a unit from the log, if it counts.
     *
     * @param term of the log entry that holds it
     * @return false where it was decided on a state that is gone, or one before it was lost
     */
    boolean take(long term, ProposalRecord unit) {
        if (unit.getTerm() != term || !follows(unit)) {
            return false;
        }
        if (unit.getNumber() == 0) {
            formed = unit.getFormed();
        } else {
            lastTerm = term;
            lastNumber = unit.getNumber();
        }
        unit.getEntriesList().forEach(this::put);
        return true;
    }

    private boolean follows(ProposalRecord unit) {
        if (unit.getNumber() == 0 || !formed) {
            return unit.getNumber() == 0 && !formed;
        }
        return unit.getNumber() == (unit.getTerm() == lastTerm ? lastNumber + 1 : 1);
    }

    private void put(KeyAndValue entry) {
        newest.remove(entry.getKey());
        if (entry.hasValue()) {
            newest.put(entry.getKey(), entry);
        }
    }

    QuorumSnapshot snapshot() {
        return QuorumSnapshot.newBuilder()
                .setFormed(formed)
                .setLastTerm(lastTerm)
                .setLastNumber(lastNumber)
                .addAllEntries(newest.values())
                .build();
    }

    List<EventCodec.Entry> entries() {
        return entries(newest.values());
    }

    static List<EventCodec.Entry> entries(Iterable<KeyAndValue> records) {
        List<EventCodec.Entry> entries = new ArrayList<>();
        for (KeyAndValue record : records) {
            entries.add(new EventCodec.Entry(
                    record.getKey().toByteArray(),
                    record.hasValue() ? record.getValue().toByteArray() : null));
        }
        return entries;
    }

    static KeyAndValue record(EventCodec.Entry entry) {
        KeyAndValue.Builder record = KeyAndValue.newBuilder().setKey(ByteString.copyFrom(entry.key()));
        if (entry.value() != null) {
            record.setValue(ByteString.copyFrom(entry.value()));
        }
        return record.build();
    }
}
