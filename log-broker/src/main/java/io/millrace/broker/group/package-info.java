/**
 * Consumer groups of the classic protocol and their offsets, as a decide/apply machine.
 *
 * <p>A decision works on a {@link io.millrace.broker.group.GroupDraft} and ends in events; membership that a restart
 * may forget travels in events that are not recorded. Owned by the shard of the group's partition. Must not import
 * partitions, request handling or the server.
 */
package io.millrace.broker.group;
