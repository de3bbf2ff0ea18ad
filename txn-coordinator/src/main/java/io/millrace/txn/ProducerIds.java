package io.millrace.txn;

import java.util.OptionalLong;

/** New producer ids, unique in the cluster. */
@FunctionalInterface
public interface ProducerIds {

    /** The next id; empty when none is at hand just now. */
    OptionalLong next();
}
