package io.millrace.broker.api;

import io.millrace.broker.group.Group;
import io.millrace.broker.group.GroupAnswers.Deleted;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.group.GroupState;
import io.millrace.broker.group.Member;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponsePartition;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponseTopic;

/** Groups are listed, described and removed. */
final class GroupAdminApi {
    private static final String CLASSIC = "classic";
    private static final short NOT_FOUND_SINCE = 6;

    private final ApiContext context;

    GroupAdminApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<ListGroupsResponseData> list(RequestContext request) {
        ListGroupsRequestData body = request.body(ListGroupsRequestData.class);
        List<CompletableFuture<List<Group>>> parts = context.groups().askAll(GroupCommand.ListAll::new);
        return Failures.worded(
                Gather.all(parts),
                found -> {
                    List<ListedGroup> groups = found.stream()
                            .flatMap(List::stream)
                            .filter(group ->
                                    isWanted(body.statesFilter(), group.state().title()))
                            .filter(group -> isWanted(body.typesFilter(), CLASSIC))
                            .sorted(Comparator.comparing(Group::id))
                            .map(group -> new ListedGroup()
                                    .setGroupId(group.id())
                                    .setProtocolType(group.protocolType())
                                    .setGroupState(group.state().title())
                                    .setGroupType(CLASSIC))
                            .toList();
                    return new ListGroupsResponseData().setGroups(groups);
                },
                error -> new ListGroupsResponseData().setErrorCode(error.code()));
    }

    private static boolean isWanted(List<String> filter, String value) {
        return filter.isEmpty() || filter.stream().anyMatch(value::equalsIgnoreCase);
    }

    CompletableFuture<DescribeGroupsResponseData> describe(RequestContext request) {
        DescribeGroupsRequestData body = request.body(DescribeGroupsRequestData.class);
        List<CompletableFuture<DescribedGroup>> groups = body.groups().stream()
                .map(group -> describe(group, request.version()))
                .toList();
        return Gather.all(groups).thenApply(all -> new DescribeGroupsResponseData().setGroups(all));
    }

    private CompletableFuture<DescribedGroup> describe(String name, short version) {
        return Failures.worded(
                context.groups().<Optional<Group>>ask(name, reply -> new GroupCommand.Describe(name, reply)),
                found -> found.map(GroupAdminApi::described).orElseGet(() -> unknown(name, version)),
                error -> new DescribedGroup().setGroupId(name).setErrorCode(error.code()));
    }

    /** Old clients know a group that does not exist as a dead one. */
    private static DescribedGroup unknown(String name, short version) {
        DescribedGroup dead = new DescribedGroup().setGroupId(name).setGroupState("Dead");
        return version < NOT_FOUND_SINCE
                ? dead
                : dead.setErrorCode(ErrorCode.GROUP_ID_NOT_FOUND.code())
                        .setErrorMessage("Group " + name + " not found.");
    }

    private static DescribedGroup described(Group group) {
        boolean stable = group.state() == GroupState.STABLE;
        List<DescribedGroupMember> members = new ArrayList<>();
        for (Member member : group.members().values()) {
            members.add(new DescribedGroupMember()
                    .setMemberId(member.id())
                    .setGroupInstanceId(member.instanceId())
                    .setClientId(member.clientId())
                    .setClientHost(member.clientHost())
                    .setMemberMetadata(stable ? member.metadata(group.protocol()) : new byte[0])
                    .setMemberAssignment(stable ? member.assignment() : new byte[0]));
        }
        return new DescribedGroup()
                .setGroupId(group.id())
                .setGroupState(group.state().title())
                .setProtocolType(group.protocolType())
                .setProtocolData(stable ? group.protocol() : "")
                .setMembers(members);
    }

    CompletableFuture<DeleteGroupsResponseData> delete(RequestContext request) {
        DeleteGroupsRequestData body = request.body(DeleteGroupsRequestData.class);
        List<CompletableFuture<DeletableGroupResult>> results = new ArrayList<>();
        for (String name : body.groupsNames()) {
            DeletableGroupResult result = new DeletableGroupResult().setGroupId(name);
            results.add(Failures.worded(
                    context.groups().<ErrorCode>ask(name, reply -> new GroupCommand.DeleteGroup(name, reply)),
                    error -> result.setErrorCode(error.code()),
                    error -> result.setErrorCode(error.code())));
        }
        return Gather.all(results).thenApply(all -> {
            DeleteGroupsResponseData response = new DeleteGroupsResponseData();
            all.forEach(response.results()::add);
            return response;
        });
    }

    CompletableFuture<OffsetDeleteResponseData> deleteOffsets(RequestContext request) {
        OffsetDeleteRequestData body = request.body(OffsetDeleteRequestData.class);
        List<TopicPartition> partitions = new ArrayList<>();
        body.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition ->
                                partitions.add(new TopicPartition(topic.name(), partition.partitionIndex()))));
        return Failures.worded(
                context.groups()
                        .<Deleted>ask(
                                body.groupId(),
                                reply -> new GroupCommand.DeleteOffsets(body.groupId(), partitions, reply)),
                deleted -> worded(body, deleted),
                error -> new OffsetDeleteResponseData().setErrorCode(error.code()));
    }

    private OffsetDeleteResponseData worded(OffsetDeleteRequestData body, Deleted deleted) {
        OffsetDeleteResponseData response =
                new OffsetDeleteResponseData().setErrorCode(deleted.error().code());
        if (deleted.error() != ErrorCode.NONE) {
            return response;
        }
        body.topics().forEach(topic -> {
            OffsetDeleteResponseTopic found = new OffsetDeleteResponseTopic().setName(topic.name());
            topic.partitions().forEach(partition -> {
                TopicPartition name = new TopicPartition(topic.name(), partition.partitionIndex());
                boolean exists = context.image().partition(name.topic(), name.partition()) != null;
                ErrorCode error = exists ? deleted.partitions().get(name) : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
                found.partitions()
                        .add(new OffsetDeleteResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(error.code()));
            });
            response.topics().add(found);
        });
        return response;
    }
}
