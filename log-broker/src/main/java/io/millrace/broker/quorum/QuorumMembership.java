package io.millrace.broker.quorum;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who takes part in the quorum of a cluster, as a node knows it when it starts.
 *
 * @param clusterId 22 characters of base64, as Kafka writes a uuid; the nodes of another cluster are not listened to
 * @param self the node that this is; one of the voters or observers
 * @param voters all of them, in the same order on every node: the first one forms the quorum
 * @param observers those that are known; others join by themselves
 */
public record QuorumMembership(String clusterId, int self, List<QuorumNode> voters, List<QuorumNode> observers) {
    public QuorumMembership {
        voters = List.copyOf(voters);
        observers = List.copyOf(observers);
        if (voters.isEmpty()) {
            throw new IllegalArgumentException(
                    "the quorum of cluster " + clusterId + " has no voters; name at least one");
        }
        Set<Integer> seen = new HashSet<>();
        Stream.concat(voters.stream(), observers.stream()).forEach(node -> {
            if (!seen.add(node.id())) {
                throw new IllegalArgumentException("node " + node.id() + " is in the quorum twice; name it once");
            }
        });
        if (!seen.contains(self)) {
            throw new IllegalArgumentException("node " + self + " is not in its own quorum of voters " + voters
                    + " and observers " + observers + "; name its address among either");
        }
    }

    boolean votes() {
        return voters.stream().anyMatch(node -> node.id() == self);
    }

    /** How many voters come before this one when another is gone. */
    int placeWithout(int gone) {
        return voters.stream()
                .map(QuorumNode::id)
                .filter(id -> id != gone)
                .toList()
                .indexOf(self);
    }

    QuorumNode firstVoter() {
        return voters.get(0);
    }

    QuorumNode own() {
        return Stream.concat(voters.stream(), observers.stream())
                .filter(node -> node.id() == self)
                .findFirst()
                .orElseThrow();
    }
}
