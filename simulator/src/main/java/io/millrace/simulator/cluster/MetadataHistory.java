package io.millrace.simulator.cluster;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.MetadataCodec;
import io.millrace.broker.metadata.MetadataEvent;
import io.millrace.broker.metadata.MetadataState;
import java.util.ArrayList;
import java.util.List;

/** Every state that the metadata has had, made from the events alone. */
public final class MetadataHistory {
    private final MetadataCodec codec = new MetadataCodec();
    private final List<MetadataState> states = new ArrayList<>(List.of(MetadataState.empty("simulated")));

    /** @return what the unit says */
    List<MetadataEvent> committed(Agreement.Unit unit) {
        List<MetadataEvent> events = unit.records().stream().map(codec::decode).toList();
        states.add(states.get(states.size() - 1).with(events));
        return events;
    }

    public ClusterImage newest() {
        return states.get(states.size() - 1).image();
    }

    /** How many units there are. */
    public long end() {
        return states.size() - 1L;
    }

    public ClusterImage at(long position) {
        return states.get((int) position).image();
    }
}
