package io.millrace.broker;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.TopicImage;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes groups forget the offsets of topics that are gone, so that a new topic of the same name starts afresh. */
final class DeletedTopics implements Consumer<ClusterImage> {
    private static final Logger LOG = LoggerFactory.getLogger(DeletedTopics.class);

    private final Coordinators<GroupCommand, ?, ?> groups;
    private ClusterImage before;

    DeletedTopics(Coordinators<GroupCommand, ?, ?> groups) {
        this.groups = groups;
    }

    @Override
    public void accept(ClusterImage now) {
        for (TopicImage topic :
                before == null ? List.<TopicImage>of() : before.topics().values()) {
            if (now.topic(topic.id()) == null) {
                groups.<Void>askAll(reply -> new GroupCommand.ForgetTopic(topic.name(), reply))
                        .forEach(answer -> answer.exceptionally(failure -> {
                            LOG.warn("offsets of the deleted topic {} are still kept", topic.name(), failure);
                            return null;
                        }));
            }
        }
        before = now;
    }
}
