package io.millrace.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BareFolder;
import io.millrace.broker.log.BatchBuilder;
import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogCheckpoint;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.Origin;
import io.millrace.broker.log.PartitionLog;
import io.millrace.kernel.sim.SimDisk;
import java.nio.file.Path;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.junit.jupiter.api.Test;

/** Where the logs of a reader and of a leader part: this one has offsets 0 and 1 in epoch 3, offset 2 in epoch 5. */
class FetchReadTest {
    private final PartitionLog log = PartitionLog.open(
            BareFolder.of(new SimDisk(), Path.of("/data/t-0")),
            LogSettings.DEFAULTS,
            LogCheckpoint.NONE,
            LastStop.CLEAN,
            0);

    FetchReadTest() {
        append(3);
        append(3);
        append(5);
    }

    private void append(int epoch) {
        log.startEpoch(epoch);
        log.appendAsLeader(new BatchBuilder().add(0, null, new byte[1]).build(), epoch, Origin.CLIENT, 0);
    }

    private PartitionData ask(long offset, int lastFetchedEpoch) {
        PartitionData answer = new PartitionData();
        FetchRead.parts(
                new FetchPartition().setFetchOffset(offset).setLastFetchedEpoch(lastFetchedEpoch),
                log.view(3, 3),
                answer);
        return answer;
    }

    @Test
    void a_reader_that_has_what_the_leader_has_goes_on() {
        assertThat(ask(2, 3).divergingEpoch().epoch()).isNegative();
        assertThat(ask(3, 5).divergingEpoch().epoch()).isNegative();
    }

    @Test
    void one_that_has_more_of_an_epoch_than_the_leader_hears_where_that_ended() {
        PartitionData answer = ask(3, 3);

        assertThat(answer.divergingEpoch().epoch()).isEqualTo(3);
        assertThat(answer.divergingEpoch().endOffset()).isEqualTo(2);
    }

    /** The checksum of a batch does not cover its epoch: a flipped bit once kept a follower out of sync for ever. */
    @Test
    void one_whose_epoch_nobody_has_heard_of_hears_of_the_newest() {
        PartitionData answer = ask(2, 2048);

        assertThat(answer.divergingEpoch().epoch()).isEqualTo(5);
        assertThat(answer.divergingEpoch().endOffset()).isEqualTo(3);
    }
}
