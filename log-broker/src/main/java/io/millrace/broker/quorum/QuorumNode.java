package io.millrace.broker.quorum;

/**
 * A node that takes part in the quorum.
 *
 * @param port where it listens for the quorum's own traffic
 */
public record QuorumNode(int id, String host, int port) {
    public QuorumNode {
        if (id < 0) {
            throw new IllegalArgumentException("a node of the quorum has the id " + id + "; it must be 0 or more");
        }
        if (host.isBlank()) {
            throw new IllegalArgumentException("node " + id + " of the quorum has no host");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "node " + id + " of the quorum has the port " + port + "; it must be within 1 and 65535");
        }
    }

    String address() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return id + "@" + address();
    }
}
