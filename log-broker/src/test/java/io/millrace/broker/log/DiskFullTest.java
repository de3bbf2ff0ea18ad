package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.kernel.DiskException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiskFullTest {
    private final LogFixture fixture = new LogFixture();

    private long usedBytes() {
        return fixture.disk.list(LogFixture.FOLDER).stream()
                .mapToLong(path -> fixture.disk.readFully(path).length)
                .sum();
    }

    @Test
    void a_full_disk_refuses_appends_and_heals_when_there_is_space() {
        List<String> values = new ArrayList<>();
        int sequence = 0;
        for (int round = 0; round < 60; round++) {
            fixture.disk.capacity(usedBytes() + round * 40L);
            DiskException failure = null;
            while (failure == null) {
                String value = "value-" + sequence;
                int next = sequence;
                failure = catchThrowableOfType(DiskException.class, () -> accepted(fixture.send(next, value)));
                if (failure == null) {
                    values.add(value);
                    sequence++;
                }
            }

            assertThat(failure.kind()).isEqualTo(DiskException.Kind.FULL);
            assertThat(fixture.log.endOffset()).isEqualTo(values.size());
            assertThat(fixture.values()).isEqualTo(values);
            fixture.disk.capacity(Long.MAX_VALUE);
            if (round % 7 == 0) {
                fixture.kill();
            }
            accepted(fixture.send(sequence++, "healed"));
            values.add("healed");
            assertThat(fixture.values()).isEqualTo(values);
        }
    }

    @Test
    void a_checkpoint_that_fails_is_made_up_for_by_the_next() {
        fixture.append("a");
        Checkpointing failing = fixture.log.beginCheckpoint();
        fixture.disk.capacity(usedBytes());
        DiskException failure = catchThrowableOfType(DiskException.class, failing::run);
        assertThat(failure.kind()).isEqualTo(DiskException.Kind.FULL);
        assertThat(fixture.log.recoveryPoint()).isZero();
        fixture.disk.capacity(Long.MAX_VALUE);

        fixture.checkpoint();
        fixture.cutPower();

        assertThat(fixture.values()).containsExactly("a");
    }
}
