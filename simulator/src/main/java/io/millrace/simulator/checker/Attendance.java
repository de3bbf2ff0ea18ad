package io.millrace.simulator.checker;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import java.util.function.Predicate;

/**
 * A broker that serves is not fenced while its process goes on and nothing is wrong: whatever work there is, it must not
 * keep brokers from saying that they live. Looks at every state of the metadata in turn.
 */
public final class Attendance {
    private ClusterImage before;

    /** @param steady whether the process that is registered goes on, and nothing is wrong with its machine and the network */
    public void check(ClusterImage now, Predicate<BrokerImage> steady) {
        ClusterImage last = before;
        before = now;
        if (last == null) {
            return;
        }
        for (BrokerImage broker : now.brokers().values()) {
            BrokerImage was = last.broker(broker.id());
            boolean served = was != null && was.active() && was.epoch() == broker.epoch();
            if (served && broker.fenced() && steady.test(broker)) {
                throw new Violation("attendance", was + " is fenced, although nothing is wrong with it");
            }
        }
    }
}
