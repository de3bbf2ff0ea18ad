package io.millrace.simulator.checker;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import java.util.function.IntPredicate;

/**
 * A broker that serves is not fenced while its process goes on and nothing is wrong: whatever work there is, it must not
 * keep brokers from saying that they live. Looks at every state of the metadata in turn.
 */
public final class Attendance {
    private ClusterImage before;

    /** @param steady whether a broker's process goes on, and nothing has been wrong for a while */
    public void check(ClusterImage now, IntPredicate steady) {
        ClusterImage last = before;
        before = now;
        if (last == null) {
            return;
        }
        for (BrokerImage broker : now.brokers().values()) {
            BrokerImage was = last.broker(broker.id());
            boolean served = was != null && was.active() && was.epoch() == broker.epoch();
            if (served && broker.fenced() && steady.test(broker.id())) {
                throw new Violation("attendance", was + " is fenced, although nothing is wrong with it");
            }
        }
    }
}
