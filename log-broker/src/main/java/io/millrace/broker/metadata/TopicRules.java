package io.millrace.broker.metadata;

/**
 * What a topic's settings say about leaders.
 *
 * @param minInSync below that many replicas in sync nothing is committed
 * @param uncleanElection whether a replica that may lack committed records may lead when no other can
 */
record TopicRules(int minInSync, boolean uncleanElection) {}
