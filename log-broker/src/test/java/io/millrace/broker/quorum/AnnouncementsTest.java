package io.millrace.broker.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.MetadataQuorum;
import io.millrace.broker.metadata.MetadataQuorum.Origin;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Loop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnnouncementsTest {
    private final List<String> heard = new ArrayList<>();
    private final Announcements announcements = new Announcements(
            new Loop<>() {
                @Override
                public boolean submit(Runnable task) {
                    task.run();
                    return true;
                }

                @Override
                public void close() {}
            },
            1);

    private final MetadataQuorum.Listener listener = new MetadataQuorum.Listener() {
        @Override
        public void snapshot(long upTo, List<EventCodec.Entry> records) {
            heard.add("snapshot " + upTo);
        }

        @Override
        public void committed(long position, Origin origin, List<EventCodec.Entry> records) {
            heard.add("committed " + position + " of " + origin.term());
        }

        @Override
        public void leader(int node, long term) {
            heard.add("leader " + node + " in " + term);
        }

        @Override
        public void leading(long term) {
            heard.add("leading " + term);
        }
    };

    @BeforeEach
    void snapshotBeforeTheListener() {
        announcements.snapshot(3, List.of());
        announcements.start(listener);
        assertThat(heard).containsExactly("snapshot 3");
        heard.clear();
    }

    @Test
    void leading_is_told_only_while_it_lasts() {
        announcements.leader(1, 5);
        announcements.lost();
        announcements.leading(5);
        announcements.leader(2, 6);
        announcements.leading(6);

        assertThat(heard).containsExactly("leader 1 in 5", "leader -1 in 6", "leader 2 in 6");
    }

    @Test
    void the_end_of_a_leadership_comes_before_units_of_later_terms() {
        announcements.leader(1, 5);
        announcements.leading(5);
        announcements.committed(7, new Origin(5, 1), List.of());
        announcements.committed(8, new Origin(6, 1), List.of());
        announcements.leader(2, 6);

        assertThat(heard)
                .containsExactly(
                        "leader 1 in 5",
                        "leading 5",
                        "committed 7 of 5",
                        "leader -1 in 6",
                        "committed 8 of 6",
                        "leader 2 in 6");
    }

    @Test
    void a_report_of_an_earlier_term_is_not_passed_on() {
        announcements.leader(2, 6);
        announcements.leader(3, 5);

        assertThat(heard).containsExactly("leader 2 in 6");
        assertThat(announcements.leader()).isEqualTo(new Announcements.Leader(2, 6));
    }
}
