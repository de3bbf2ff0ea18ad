/**
 * Hosts a decide/apply machine on a partition of an internal topic: loads it from the log, appends what it decides,
 * performs effects when they are committed, and refuses while loading or after the partition is gone.
 *
 * <p>A hosted machine is owned by the shard of its partition. Must not import request handling or the server.
 */
package io.millrace.broker.coordination;
