package io.millrace.broker.api;

import io.millrace.broker.server.Dispatch;
import io.millrace.broker.server.RequestHandler;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;

/** The table of all APIs that this broker serves. To serve another, write its handler and add a line here. */
public final class Handlers {
    private final Map<Short, RequestHandler> table = new HashMap<>();
    private final Forwarding forwarding;
    private Dispatch dispatch;

    private Handlers(ApiContext context) {
        forwarding = new Forwarding(context.controllerLine());
    }

    public static Dispatch of(ApiContext context) {
        Handlers handlers = new Handlers(context);
        handlers.fill(context);
        context.controllerLine().answerHere(handlers.forwarding);
        handlers.dispatch = new Dispatch(handlers.table);
        return handlers.dispatch;
    }

    private ApiVersionCollection advertised() {
        return dispatch.protocol().advertised();
    }

    private void fill(ApiContext context) {
        TopicCreation creation = new TopicCreation(context);
        serve(ApiMessageType.API_VERSIONS, new ApiVersionsApi(context, this::advertised)::apiVersions);
        cluster(context, creation);
        brokers(context);
        records(context);
        groups(context);
        transactions(context);
    }

    private void cluster(ApiContext context, TopicCreation creation) {
        MetadataApi metadata = new MetadataApi(context, creation);
        serve(ApiMessageType.METADATA, metadata::metadata);
        serve(ApiMessageType.DESCRIBE_CLUSTER, metadata::describeCluster);
        serve(ApiMessageType.DESCRIBE_TOPIC_PARTITIONS, new TopicPagesApi(context)::describe);
        serve(ApiMessageType.FIND_COORDINATOR, new CoordinatorLookupApi(context, creation)::find);
        TopicsApi topics = new TopicsApi(context, creation);
        serveByController(ApiMessageType.CREATE_TOPICS, topics::create);
        serveByController(ApiMessageType.DELETE_TOPICS, topics::delete);
        serveByController(ApiMessageType.CREATE_PARTITIONS, topics::createPartitions);
        DescribeConfigsApi configs = new DescribeConfigsApi(context);
        serve(ApiMessageType.DESCRIBE_CONFIGS, configs::describe);
        serve(ApiMessageType.LIST_CONFIG_RESOURCES, configs::list);
        AlterConfigsApi alter = new AlterConfigsApi(creation);
        serveByController(ApiMessageType.INCREMENTAL_ALTER_CONFIGS, alter::incremental);
        serveByController(ApiMessageType.ALTER_CONFIGS, alter::replace);
    }

    /** What brokers ask of each other, and administrators of the cluster. */
    private void brokers(ApiContext context) {
        BrokersApi brokers = new BrokersApi(context);
        serveByController(ApiMessageType.BROKER_REGISTRATION, brokers::register);
        RequestHandler heartbeat = forwarding.notPassedOn(ApiMessageType.BROKER_HEARTBEAT, brokers::heartbeat);
        serve(ApiMessageType.BROKER_HEARTBEAT, request -> {
            brokers.watch(request);
            return heartbeat.handle(request);
        });
        serveByController(ApiMessageType.ALTER_PARTITION, brokers::alterPartitions);
        serveByController(ApiMessageType.ALLOCATE_PRODUCER_IDS, brokers::producerIds);
        serveByController(ApiMessageType.UNREGISTER_BROKER, brokers::unregister);
        ReassignmentsApi reassignments = new ReassignmentsApi(context);
        serveByController(ApiMessageType.ALTER_PARTITION_REASSIGNMENTS, reassignments::alter);
        serve(ApiMessageType.LIST_PARTITION_REASSIGNMENTS, reassignments::list);
        serveByController(ApiMessageType.ELECT_LEADERS, reassignments::elect);
        serveByController(ApiMessageType.DESCRIBE_QUORUM, new QuorumApi(context)::describe);
    }

    private void records(ApiContext context) {
        serve(ApiMessageType.PRODUCE, new ProduceApi(context)::produce);
        serve(ApiMessageType.FETCH, new FetchApi(context)::fetch);
        OffsetsApi offsets = new OffsetsApi(context);
        serve(ApiMessageType.LIST_OFFSETS, offsets::list);
        serve(ApiMessageType.OFFSET_FOR_LEADER_EPOCH, offsets::epochEnds);
        PartitionsApi partitions = new PartitionsApi(context);
        serve(ApiMessageType.DELETE_RECORDS, partitions::deleteRecords);
        serve(ApiMessageType.DESCRIBE_LOG_DIRS, partitions::describeLogDirs);
        serve(ApiMessageType.DESCRIBE_PRODUCERS, partitions::describeProducers);
    }

    private void groups(ApiContext context) {
        MembershipApi membership = new MembershipApi(context);
        serve(ApiMessageType.JOIN_GROUP, membership::join);
        serve(ApiMessageType.SYNC_GROUP, membership::sync);
        serve(ApiMessageType.HEARTBEAT, membership::heartbeat);
        serve(ApiMessageType.LEAVE_GROUP, membership::leave);
        OffsetCommitApi commits = new OffsetCommitApi(context);
        serve(ApiMessageType.OFFSET_COMMIT, commits::commit);
        serve(ApiMessageType.TXN_OFFSET_COMMIT, commits::commitInTransaction);
        serve(ApiMessageType.OFFSET_FETCH, new OffsetFetchApi(context)::fetch);
        GroupAdminApi admin = new GroupAdminApi(context);
        serve(ApiMessageType.LIST_GROUPS, admin::list);
        serve(ApiMessageType.DESCRIBE_GROUPS, admin::describe);
        serve(ApiMessageType.DELETE_GROUPS, admin::delete);
        serve(ApiMessageType.OFFSET_DELETE, admin::deleteOffsets);
    }

    private void transactions(ApiContext context) {
        serve(ApiMessageType.INIT_PRODUCER_ID, new ProducersApi(context)::init);
        TransactionsApi transactions = new TransactionsApi(context);
        serve(ApiMessageType.ADD_PARTITIONS_TO_TXN, transactions::addPartitions);
        serve(ApiMessageType.ADD_OFFSETS_TO_TXN, transactions::addOffsets);
        serve(ApiMessageType.END_TXN, transactions::end);
        TransactionAdminApi admin = new TransactionAdminApi(context);
        serve(ApiMessageType.LIST_TRANSACTIONS, admin::list);
        serve(ApiMessageType.DESCRIBE_TRANSACTIONS, admin::describe);
        serve(ApiMessageType.WRITE_TXN_MARKERS, admin::writeMarkers);
    }

    private void serveByController(ApiMessageType api, RequestHandler handler) {
        serve(api, forwarding.of(api, handler));
    }

    private void serve(ApiMessageType api, RequestHandler handler) {
        table.put(api.apiKey(), handler);
    }
}
