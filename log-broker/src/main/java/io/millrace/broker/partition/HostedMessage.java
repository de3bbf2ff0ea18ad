package io.millrace.broker.partition;

/** A message for something that a higher layer hosts on the shard of a partition, such as a coordinator. */
public non-sealed interface HostedMessage extends ShardMessage {}
