package io.millrace.broker.group;

import io.millrace.broker.group.GroupCommand.CommitInTransaction;
import io.millrace.broker.log.TransactionMarker;
import java.util.ArrayList;
import java.util.List;

/**
 * Commits in transactions whose coordinator is being asked. When the transaction ends meanwhile, the answer that is
 * under way is out of date and must not be acted upon.
 */
final class Registrations {
    private final List<CommitInTransaction> asked = new ArrayList<>();
    private final List<CommitInTransaction> overtaken = new ArrayList<>();

    boolean overtaken(CommitInTransaction command) {
        return overtaken.stream().anyMatch(command::equals);
    }

    void apply(GroupEvent event) {
        if (event instanceof GroupEvent.Asked one) {
            asked.add(one.command());
        } else if (event instanceof GroupEvent.AskedOver one) {
            asked.removeIf(one.command()::equals);
            overtaken.removeIf(one.command()::equals);
        } else if (event instanceof GroupEvent.Overtaken end) {
            for (CommitInTransaction command : asked) {
                if (isOver(command, end.marker())) {
                    overtaken.add(command);
                }
            }
        }
    }

    /** A marker that raises the epoch ends the transaction before the one of its own epoch. */
    private static boolean isOver(CommitInTransaction command, TransactionMarker end) {
        boolean later =
                end.raisesEpoch() ? end.epoch() > command.producerEpoch() : end.epoch() >= command.producerEpoch();
        return command.producerId() == end.producerId() && later;
    }
}
