package io.millrace.testbed;

import java.util.List;

/** Where the nodes of a cluster are found. */
public interface Addresses {
    /** All on this machine's loopback. */
    Addresses LOOPBACK = new Addresses() {
        @Override
        public String host(int node) {
            return "127.0.0.1";
        }

        @Override
        public List<String> startedBy(int node) {
            return List.of();
        }
    };

    /** @param node from 1 on */
    String host(int node);

    /** What stands before the command that starts the node. */
    List<String> startedBy(int node);
}
