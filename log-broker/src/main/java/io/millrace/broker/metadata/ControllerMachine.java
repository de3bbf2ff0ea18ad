package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.AlterPartitions;
import io.millrace.broker.metadata.ControllerCommand.AlterReassignments;
import io.millrace.broker.metadata.ControllerCommand.CreatePartitions;
import io.millrace.broker.metadata.ControllerCommand.CreateTopic;
import io.millrace.broker.metadata.ControllerCommand.DeleteTopic;
import io.millrace.broker.metadata.ControllerCommand.ElectLeaders;
import io.millrace.broker.metadata.ControllerCommand.Heartbeat;
import io.millrace.broker.metadata.ControllerCommand.OfBrokers;
import io.millrace.broker.metadata.ControllerCommand.OfPartitions;
import io.millrace.broker.metadata.ControllerCommand.OfTopics;
import io.millrace.broker.metadata.ControllerCommand.RegisterBroker;
import io.millrace.broker.metadata.ControllerCommand.SetBroker;
import io.millrace.broker.metadata.ControllerCommand.SetTopic;
import io.millrace.broker.metadata.ControllerCommand.Suspect;
import io.millrace.broker.metadata.ControllerCommand.TakeProducerIds;
import io.millrace.broker.metadata.ControllerCommand.Unregister;
import io.millrace.broker.metadata.MetadataEvent.ProducerIdsTaken;
import io.millrace.kernel.Decision;
import io.millrace.kernel.Entropy;
import io.millrace.kernel.Machine;

/**
 * The controller of a cluster: decides on topics, on brokers, and on who leads and replicates what. What it has decided
 * is a {@link MetadataState}; who was heard of when, and what is left to do in the background, it keeps for itself, and
 * a later controller begins anew with it.
 */
public final class ControllerMachine implements Machine<ControllerCommand, MetadataEvent, Runnable> {
    private final TopicDefaults defaults;
    private final TopicChanges topics;
    private final Sessions sessions;
    private final Background background;
    private final LazyState state;

    /**
     * @param state what is committed as the term begins
     * @param defaults what a topic gets that does not say
     * @param nowMs the monotonic time at which the term begins; every broker counts as heard of at that moment
     */
    public ControllerMachine(
            MetadataState state, TopicDefaults defaults, Entropy entropy, ControllerTimes times, long nowMs) {
        this.state = new LazyState(state);
        this.defaults = defaults;
        this.topics = new TopicChanges(new TopicPlan(defaults), entropy);
        this.sessions = new Sessions(times.sessionTimeoutMs(), nowMs);
        this.background = new Background(times, nowMs);
    }

    public MetadataState state() {
        return state.get();
    }

    @Override
    public Decision<MetadataEvent, Runnable> decide(ControllerCommand command, long nowMs) {
        Draft draft = new Draft(state(), defaults);
        if (command instanceof OfTopics ofTopics) {
            return decide(ofTopics, draft);
        } else if (command instanceof OfBrokers ofBrokers) {
            return decide(ofBrokers, draft, nowMs);
        } else if (command instanceof OfPartitions ofPartitions) {
            return decide(ofPartitions, draft);
        }
        throw new IllegalStateException("no such command: " + command);
    }

    private Decision<MetadataEvent, Runnable> decide(OfTopics command, Draft draft) {
        if (command instanceof CreateTopic create) {
            return draft.answer(create.reply(), topics.create(draft, create));
        } else if (command instanceof CreatePartitions create) {
            return draft.answer(create.reply(), topics.grow(draft, create));
        } else if (command instanceof DeleteTopic delete) {
            return draft.answer(delete.reply(), topics.delete(draft, delete));
        } else if (command instanceof SetTopic set) {
            return draft.answer(set.reply(), SettingChanges.set(draft, set));
        } else if (command instanceof SetBroker set) {
            return draft.answer(set.reply(), SettingChanges.set(draft, set));
        } else if (command instanceof TakeProducerIds take) {
            long first = state().nextProducerId();
            draft.add(new ProducerIdsTaken(first + take.count()));
            return draft.answer(take.reply(), first);
        }
        throw new IllegalStateException("no such command: " + command);
    }

    private Decision<MetadataEvent, Runnable> decide(OfBrokers command, Draft draft, long nowMs) {
        if (command instanceof RegisterBroker register) {
            boolean sessionOver = sessions.isOver(register.id(), nowMs);
            return draft.answer(register.reply(), Registrations.register(draft, register, sessionOver, nowMs));
        } else if (command instanceof Heartbeat beat) {
            return draft.answer(beat.reply(), Heartbeats.beat(draft, beat, nowMs));
        } else if (command instanceof Suspect suspect) {
            return draft.answer(suspect.reply(), Fencing.suspect(draft, suspect));
        } else if (command instanceof Unregister unregister) {
            return draft.answer(unregister.reply(), Registrations.unregister(draft, unregister));
        }
        throw new IllegalStateException("no such command: " + command);
    }

    private static Decision<MetadataEvent, Runnable> decide(OfPartitions command, Draft draft) {
        if (command instanceof AlterPartitions alter) {
            return draft.answer(alter.reply(), InSyncChanges.alter(draft, alter));
        } else if (command instanceof ElectLeaders elect) {
            return draft.answer(elect.reply(), Elections.elect(draft, elect));
        } else if (command instanceof AlterReassignments alter) {
            return draft.answer(alter.reply(), Reassignments.alter(draft, alter));
        }
        throw new IllegalStateException("no such command: " + command);
    }

    @Override
    public long nextDeadlineMs() {
        return Math.min(sessions.nextEndMs(state().image()), background.nextMs());
    }

    @Override
    public Decision<MetadataEvent, Runnable> onTime(long nowMs) {
        Draft draft = new Draft(state(), defaults);
        Fencing.fence(draft, sessions.over(state().image(), nowMs), "silent for a session");
        background.work(draft, nowMs);
        return draft.decision();
    }

    @Override
    public void apply(MetadataEvent event) {
        state.add(event);
        sessions.apply(event);
        background.apply(event);
    }
}
