package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.CreatePartitions;
import io.millrace.broker.metadata.ControllerCommand.CreateTopic;
import io.millrace.broker.metadata.ControllerCommand.DeleteTopic;
import io.millrace.broker.metadata.ControllerCommand.SetBroker;
import io.millrace.broker.metadata.ControllerCommand.SetTopic;
import io.millrace.broker.metadata.ControllerCommand.TakeProducerIds;
import io.millrace.broker.metadata.MetadataEvent.ProducerIdsTaken;
import io.millrace.broker.metadata.MetadataEvent.SettingsChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicDeleted;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.InvalidSetting;
import io.millrace.broker.settings.Setting;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Decision;
import io.millrace.kernel.Entropy;
import io.millrace.kernel.Machine;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;

/** The controller: decides on topics, settings and producer ids. */
public final class ControllerMachine implements Machine<ControllerCommand, MetadataEvent, Runnable> {
    private final Entropy entropy;
    private final TopicPlan topics;
    private ClusterImage image;
    private long nextProducerId;

    /** @param defaults what a topic gets that does not say */
    public ControllerMachine(ClusterImage empty, TopicDefaults defaults, Entropy entropy) {
        this.image = empty;
        this.topics = new TopicPlan(defaults);
        this.entropy = entropy;
    }

    public ClusterImage image() {
        return image;
    }

    @Override
    public Decision<MetadataEvent, Runnable> decide(ControllerCommand command, long nowMs) {
        if (command instanceof CreateTopic create) {
            Outcome<TopicImage> outcome = topics.create(image, create, newTopicId());
            return changed(outcome, create.validateOnly(), create.reply());
        } else if (command instanceof CreatePartitions create) {
            return changed(topics.grow(image, create), create.validateOnly(), create.reply());
        } else if (command instanceof DeleteTopic delete) {
            return delete(delete);
        } else if (command instanceof SetTopic set) {
            return changed(set(set), set.validateOnly(), set.reply());
        } else if (command instanceof SetBroker set) {
            return set(set);
        } else if (command instanceof TakeProducerIds take) {
            long first = nextProducerId;
            return decision(new ProducerIdsTaken(first + take.count()), take.reply(), first);
        }
        throw new IllegalStateException("no such command: " + command);
    }

    private Uuid newTopicId() {
        while (true) {
            UUID random = entropy.uuid();
            Uuid id = new Uuid(random.getMostSignificantBits(), random.getLeastSignificantBits());
            // Ids that begin with a dash look like an option on a command line.
            if (image.topic(id) == null && !id.toString().startsWith("-")) {
                return id;
            }
        }
    }

    private static Decision<MetadataEvent, Runnable> changed(
            Outcome<TopicImage> outcome, boolean validateOnly, CompletableFuture<Outcome<TopicImage>> reply) {
        if (outcome instanceof Outcome.Done<TopicImage> done && !validateOnly) {
            return decision(new TopicChanged(done.value()), reply, outcome);
        }
        return Decision.reply(() -> reply.complete(outcome));
    }

    private static <R> Decision<MetadataEvent, Runnable> decision(
            MetadataEvent event, CompletableFuture<R> reply, R answer) {
        return new Decision<>(List.of(event), List.of(() -> reply.complete(answer)));
    }

    private Decision<MetadataEvent, Runnable> delete(DeleteTopic delete) {
        TopicImage topic = image.topic(delete.id());
        if (topic == null) {
            Outcome<TopicImage> unknown =
                    Outcome.refused(ErrorCode.UNKNOWN_TOPIC_ID, "there is no topic with id " + delete.id());
            return Decision.reply(() -> delete.reply().complete(unknown));
        }
        return decision(new TopicDeleted(topic.id()), delete.reply(), new Outcome.Done<>(topic));
    }

    private Outcome<TopicImage> set(SetTopic set) {
        TopicImage topic = image.topic(set.topic());
        if (topic == null) {
            return Outcome.refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic " + set.topic());
        }
        try {
            Map<String, String> settings = set.change().applyTo(topic.settings());
            TopicSettings.TABLE.check(settings);
            return new Outcome.Done<>(new TopicImage(topic.id(), topic.name(), topic.partitions(), settings));
        } catch (InvalidSetting e) {
            return Outcome.refused(ErrorCode.INVALID_CONFIG, e.getMessage());
        }
    }

    private Decision<MetadataEvent, Runnable> set(SetBroker set) {
        try {
            Map<String, String> settings = set.change().applyTo(image.settings().getOrDefault(set.node(), Map.of()));
            BrokerSettings.TABLE.check(settings);
            for (String name : settings.keySet()) {
                Setting setting = BrokerSettings.TABLE.named(name);
                if (!setting.whileRunning()) {
                    throw new InvalidSetting(name + " cannot be changed while the broker runs; set it at the start");
                }
            }
            Outcome<Boolean> done = new Outcome.Done<>(true);
            if (set.validateOnly()) {
                return Decision.reply(() -> set.reply().complete(done));
            }
            return decision(new SettingsChanged(set.node(), settings), set.reply(), done);
        } catch (InvalidSetting e) {
            Outcome<Boolean> refused = Outcome.refused(ErrorCode.INVALID_CONFIG, e.getMessage());
            return Decision.reply(() -> set.reply().complete(refused));
        }
    }

    @Override
    public long nextDeadlineMs() {
        return Long.MAX_VALUE;
    }

    @Override
    public Decision<MetadataEvent, Runnable> onTime(long nowMs) {
        return Decision.nothing();
    }

    @Override
    public void apply(MetadataEvent event) {
        if (event instanceof TopicChanged changed) {
            image = image.with(changed.topic());
        } else if (event instanceof TopicDeleted deleted) {
            image = image.without(deleted.id());
        } else if (event instanceof SettingsChanged changed) {
            image = image.withSettings(changed.node(), changed.settings());
        } else if (event instanceof ProducerIdsTaken taken) {
            nextProducerId = taken.next();
        }
    }
}
