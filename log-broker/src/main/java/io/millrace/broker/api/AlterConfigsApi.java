package io.millrace.broker.api;

import io.millrace.broker.metadata.ControllerCommand;
import io.millrace.broker.metadata.Outcome;
import io.millrace.broker.metadata.SettingsChange;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.settings.InvalidSetting;
import io.millrace.broker.settings.Setting;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;

/** Settings of topics and brokers are changed, one by one or all at once. */
final class AlterConfigsApi {
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final byte APPEND = 2;
    private static final byte SUBTRACT = 3;

    private final TopicCreation creation;

    AlterConfigsApi(TopicCreation creation) {
        this.creation = creation;
    }

    CompletableFuture<IncrementalAlterConfigsResponseData> incremental(RequestContext request) {
        IncrementalAlterConfigsRequestData body = request.body(IncrementalAlterConfigsRequestData.class);
        List<CompletableFuture<Outcome<Boolean>>> outcomes = new ArrayList<>();
        List<AlterConfigsResource> resources = new ArrayList<>(body.resources());
        for (AlterConfigsResource resource : resources) {
            Resource kind = Resource.of(resource.resourceType());
            SettingsChange change = current -> incrementally(kind, resource, current);
            outcomes.add(change(kind, resource.resourceName(), change, body.validateOnly()));
        }
        return Gather.all(outcomes).thenApply(all -> {
            IncrementalAlterConfigsResponseData response = new IncrementalAlterConfigsResponseData();
            for (int i = 0; i < all.size(); i++) {
                response.responses()
                        .add(new IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse()
                                .setResourceType(resources.get(i).resourceType())
                                .setResourceName(resources.get(i).resourceName())
                                .setErrorCode(all.get(i).error().code())
                                .setErrorMessage(all.get(i).message()));
            }
            return response;
        });
    }

    private static Map<String, String> incrementally(
            Resource kind, AlterConfigsResource resource, Map<String, String> current) {
        Map<String, String> changed = new TreeMap<>(current);
        for (AlterableConfig config : resource.configs()) {
            if (config.configOperation() == DELETE) {
                changed.remove(
                        config.name()); // tools clean up settings that were never made, or that do not exist here
                continue;
            }
            Setting setting = kind.table().named(config.name());
            if (config.value() == null) {
                throw new InvalidSetting(
                        config.name() + " is to change but has no value; allowed: " + setting.allowed());
            }
            switch (config.configOperation()) {
                case SET -> changed.put(config.name(), config.value());
                case APPEND, SUBTRACT -> changed.put(config.name(), changedList(setting, config, changed));
                default ->
                    throw new InvalidSetting("operation " + config.configOperation()
                            + "; allowed: 0 (set), 1 (delete), 2 (append), 3 (subtract)");
            }
        }
        return changed;
    }

    private static String changedList(Setting setting, AlterableConfig config, Map<String, String> current) {
        if (!setting.kind().isList()) {
            throw new InvalidSetting(config.name() + " is not a list: nothing can be appended or subtracted");
        }
        Set<String> words = words(current.getOrDefault(config.name(), setting.defaultValue()));
        if (config.configOperation() == APPEND) {
            words.addAll(words(config.value()));
        } else {
            words.removeAll(words(config.value()));
        }
        return String.join(",", words);
    }

    private static Set<String> words(String list) {
        Set<String> words = new LinkedHashSet<>();
        for (String word : list.split(",")) {
            if (!word.isBlank()) {
                words.add(word.trim());
            }
        }
        return words;
    }

    CompletableFuture<AlterConfigsResponseData> replace(RequestContext request) {
        AlterConfigsRequestData body = request.body(AlterConfigsRequestData.class);
        List<CompletableFuture<Outcome<Boolean>>> outcomes = new ArrayList<>();
        List<AlterConfigsRequestData.AlterConfigsResource> resources = new ArrayList<>(body.resources());
        for (AlterConfigsRequestData.AlterConfigsResource resource : resources) {
            Map<String, String> wanted = new TreeMap<>();
            resource.configs().forEach(config -> wanted.put(config.name(), String.valueOf(config.value())));
            Resource kind = Resource.of(resource.resourceType());
            outcomes.add(change(kind, resource.resourceName(), current -> wanted, body.validateOnly()));
        }
        return Gather.all(outcomes).thenApply(all -> {
            AlterConfigsResponseData response = new AlterConfigsResponseData();
            for (int i = 0; i < all.size(); i++) {
                response.responses()
                        .add(new AlterConfigsResponseData.AlterConfigsResourceResponse()
                                .setResourceType(resources.get(i).resourceType())
                                .setResourceName(resources.get(i).resourceName())
                                .setErrorCode(all.get(i).error().code())
                                .setErrorMessage(all.get(i).message()));
            }
            return response;
        });
    }

    private CompletableFuture<Outcome<Boolean>> change(
            Resource kind, String name, SettingsChange change, boolean validateOnly) {
        if (kind == null) {
            return Gather.now(Outcome.refused(
                    ErrorCode.INVALID_REQUEST, "settings can be changed of topics and brokers, not of this kind"));
        }
        if (kind == Resource.TOPIC) {
            return creation.<TopicImage>ask(reply -> new ControllerCommand.SetTopic(name, change, validateOnly, reply))
                    .thenApply(outcome -> outcome instanceof Outcome.Refused<TopicImage> refused
                            ? Outcome.refused(refused.error(), refused.message())
                            : new Outcome.Done<>(true));
        }
        return creation.ask(reply -> new ControllerCommand.SetBroker(name, change, validateOnly, reply));
    }
}
