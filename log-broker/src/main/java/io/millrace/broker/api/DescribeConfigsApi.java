package io.millrace.broker.api;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.settings.Setting;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData.ConfigResource;

/** What is set, where each value comes from, and what there is to set. */
final class DescribeConfigsApi {
    private final ApiContext context;

    DescribeConfigsApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<DescribeConfigsResponseData> describe(RequestContext request) {
        DescribeConfigsRequestData body = request.body(DescribeConfigsRequestData.class);
        DescribeConfigsResponseData response = new DescribeConfigsResponseData();
        for (DescribeConfigsResource resource : body.resources()) {
            response.results().add(describe(resource, body));
        }
        return Gather.now(response);
    }

    private DescribeConfigsResult describe(DescribeConfigsResource resource, DescribeConfigsRequestData body) {
        DescribeConfigsResult result = new DescribeConfigsResult()
                .setResourceType(resource.resourceType())
                .setResourceName(resource.resourceName());
        ClusterImage image = context.image();
        Resource kind = Resource.of(resource.resourceType());
        if (kind == null) {
            return result.setErrorCode(ErrorCode.INVALID_REQUEST.code())
                    .setErrorMessage("settings of resource type " + resource.resourceType() + " are not kept here");
        }
        List<Level> levels;
        if (kind == Resource.TOPIC) {
            TopicImage topic = image.topic(resource.resourceName());
            if (topic == null) {
                return result.setErrorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
            }
            levels = topicLevels(topic, image);
        } else {
            String refusal = kind.brokerRefusal(resource.resourceName(), context.nodeId());
            if (refusal != null) {
                return result.setErrorCode(ErrorCode.INVALID_REQUEST.code()).setErrorMessage(refusal);
            }
            levels = brokerLevels(resource.resourceName(), image);
        }
        for (Setting setting : kind.table().all()) {
            boolean wanted = resource.configurationKeys() == null
                    || resource.configurationKeys().contains(setting.name());
            // The defaults of all brokers are only what somebody has set for all of them.
            boolean shown =
                    !kind.isDefaults(resource.resourceName()) || levels.get(0).has(setting);
            if (wanted && shown) {
                result.configs().add(describe(setting, levels, body));
            }
        }
        return result;
    }

    private static DescribeConfigsResourceResult describe(
            Setting setting, List<Level> levels, DescribeConfigsRequestData body) {
        List<DescribeConfigsSynonym> found = new ArrayList<>();
        for (Level level : levels) {
            if (level.has(setting)) {
                found.add(new DescribeConfigsSynonym()
                        .setName(level.nameOf(setting))
                        .setValue(level.values().get(level.nameOf(setting)))
                        .setSource(level.source().code()));
            }
        }
        found.add(new DescribeConfigsSynonym()
                .setName(setting.fallback() == null ? setting.name() : setting.fallback())
                .setValue(setting.defaultValue())
                .setSource(Source.DEFAULT.code()));
        return new DescribeConfigsResourceResult()
                .setName(setting.name())
                .setValue(found.get(0).value())
                .setConfigSource(found.get(0).source())
                .setReadOnly(!setting.whileRunning())
                .setConfigType(Resource.type(setting.kind()))
                .setDocumentation(body.includeDocumentation() ? setting.meaning() + "; " + setting.allowed() : null)
                .setSynonyms(body.includeSynonyms() ? found : List.of());
    }

    private List<Level> topicLevels(TopicImage topic, ClusterImage image) {
        List<Level> levels = new ArrayList<>();
        levels.add(new Level(Source.TOPIC, topic.settings(), false));
        for (Level level : brokerLevels(String.valueOf(context.nodeId()), image)) {
            levels.add(new Level(level.source(), level.values(), true));
        }
        return levels;
    }

    private List<Level> brokerLevels(String node, ClusterImage image) {
        List<Level> levels = new ArrayList<>();
        if (!node.isEmpty()) {
            levels.add(new Level(Source.DYNAMIC_BROKER, image.settings().getOrDefault(node, Map.of()), false));
        }
        levels.add(new Level(Source.DYNAMIC_DEFAULT, image.settings().getOrDefault("", Map.of()), false));
        if (!node.isEmpty()) {
            levels.add(new Level(Source.STATIC_BROKER, context.defaults().atStart(), false));
        }
        return levels;
    }

    /** Values from one source; a topic's setting is found there under the broker's name for it. */
    private record Level(Source source, Map<String, String> values, boolean byFallback) {
        String nameOf(Setting setting) {
            return byFallback ? setting.fallback() : setting.name();
        }

        boolean has(Setting setting) {
            String name = nameOf(setting);
            return name != null && values.containsKey(name);
        }
    }

    CompletableFuture<ListConfigResourcesResponseData> list(RequestContext request) {
        List<Byte> wanted = request.body(ListConfigResourcesRequestData.class).resourceTypes();
        ListConfigResourcesResponseData response = new ListConfigResourcesResponseData();
        ClusterImage image = context.image();
        boolean all = wanted.isEmpty() && request.version() > 0; // version 0 asks for a type that is not kept here
        if (all || wanted.contains(Resource.TOPIC.code())) {
            image.topics().keySet().forEach(topic -> add(response, Resource.TOPIC, topic));
        }
        if (all || wanted.contains(Resource.BROKER.code())) {
            image.unfenced().forEach(broker -> add(response, Resource.BROKER, String.valueOf(broker.id())));
        }
        return Gather.now(response);
    }

    private static void add(ListConfigResourcesResponseData response, Resource kind, String name) {
        response.configResources()
                .add(new ConfigResource().setResourceName(name).setResourceType(kind.code()));
    }
}
