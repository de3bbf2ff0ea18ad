package io.millrace.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.MachineHost;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may still say where a group stands. */
class OffsetReadTest {
    private static final TopicPartition INPUT = new TopicPartition("input", 0);
    private static final GroupCommand.Caller OUTSIDER = new GroupCommand.Caller("group", "", null, -1);

    private long appended;

    private final MachineHost<GroupCommand, GroupEvent, GroupEffect> coordinator = new MachineHost<>(
            new GroupMachine(new GroupSettings(1, 60_000, 0, 10, 3_600_000), () -> "id", metadata -> Set.of()),
            new GroupCodec(),
            entries -> appended += entries.size(),
            effect -> ((GroupEffect.Reply) effect).completion().run(),
            (command, why) -> command.reply().completeExceptionally(why));

    @BeforeEach
    void commitAnOffset() {
        Offset offset = new Offset(112, 0, "", 0);
        coordinator.command(new GroupCommand.Commit(OUTSIDER, Map.of(INPUT, offset), new CompletableFuture<>()), 0);
        coordinator.committed(appended);
    }

    /** The case: cut off from its followers, a coordinator said where the group had stood before it was replaced. */
    @Test
    void a_coordinator_that_gets_nothing_committed_any_more_does_not_answer_a_stable_read() {
        CompletableFuture<GroupAnswers.Fetched> answer = read(true);

        assertThat(answer).isNotDone();

        coordinator.committed(appended);

        assertThat(answer.join().offsets().get(INPUT).offset()).isEqualTo(112);
    }

    @Test
    void a_reader_who_does_not_ask_for_that_is_answered_at_once() {
        assertThat(read(false).join().offsets().get(INPUT).offset()).isEqualTo(112);
    }

    private CompletableFuture<GroupAnswers.Fetched> read(boolean stable) {
        CompletableFuture<GroupAnswers.Fetched> answer = new CompletableFuture<>();
        coordinator.command(new GroupCommand.Fetch("group", List.of(INPUT), stable, answer), 0);
        return answer;
    }
}
