package io.millrace.broker;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.coordination.MachineKind;
import io.millrace.broker.group.GroupCodec;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.group.GroupEffect;
import io.millrace.broker.group.GroupEvent;
import io.millrace.broker.group.GroupMachine;
import io.millrace.broker.group.GroupSettings;
import io.millrace.broker.metadata.ProducerIdBlock;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.Values;
import io.millrace.broker.transactions.MarkerWriter;
import io.millrace.broker.transactions.Registrations;
import io.millrace.broker.transactions.TxnErrors;
import io.millrace.broker.wire.ConsumerSubscription;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Entropy;
import io.millrace.txn.ProducerIdentity;
import io.millrace.txn.TransactionMachine;
import io.millrace.txn.TxnCodec;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnEffect;
import io.millrace.txn.TxnEvent;
import io.millrace.txn.TxnSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The two kinds of coordinators, and how what they want done is done. */
final class CoordinatorKinds {
    private CoordinatorKinds() {}

    static MachineKind<TxnCommand, TxnEvent, TxnEffect> transactions(
            Values values, ProducerIdBlock producerIds, MarkerWriter markers) {
        TxnSettings settings = new TxnSettings(
                values.number(BrokerSettings.TRANSACTION_MAX_TIMEOUT_MS),
                values.number(BrokerSettings.TRANSACTIONAL_ID_EXPIRATION_MS),
                (short) values.number(BrokerSettings.PRODUCER_EPOCH_LIMIT));
        return new MachineKind<>(
                TopicImage.TRANSACTIONS,
                partition -> new TransactionMachine(settings, producerIds::next),
                new TxnCodec(),
                (effect, self) -> {
                    if (effect instanceof TxnEffect.Reply reply) {
                        reply.completion().run();
                    } else if (effect instanceof TxnEffect.WriteMarkers write) {
                        markers.perform(write, self);
                    } else if (effect instanceof TxnEffect.Again again) {
                        self.send(again.command());
                    }
                },
                (command, why) -> command.reply().completeExceptionally(why),
                new TxnCommand.Resume(new CompletableFuture<>()));
    }

    static MachineKind<GroupCommand, GroupEvent, GroupEffect> groups(
            Values values,
            Entropy entropy,
            Registrations registrations,
            Supplier<Coordinators<GroupCommand, ?, ?>> coordinators) {
        GroupSettings settings = new GroupSettings(
                values.number(BrokerSettings.GROUP_MIN_SESSION_TIMEOUT_MS),
                values.number(BrokerSettings.GROUP_MAX_SESSION_TIMEOUT_MS),
                values.number(BrokerSettings.GROUP_INITIAL_REBALANCE_DELAY_MS),
                values.number(BrokerSettings.GROUP_MAX_SIZE),
                TimeUnit.MINUTES.toMillis(values.number(BrokerSettings.OFFSETS_RETENTION_MINUTES)));
        return new MachineKind<>(
                TopicImage.OFFSETS,
                partition -> new GroupMachine(settings, () -> entropy.uuid().toString(), ConsumerSubscription::topics),
                new GroupCodec(),
                (effect, self) -> {
                    if (effect instanceof GroupEffect.Reply reply) {
                        reply.completion().run();
                    } else if (effect instanceof GroupEffect.Register register) {
                        register(register.command(), registrations, coordinators.get(), self::send);
                    }
                },
                (command, why) -> command.reply().completeExceptionally(why),
                new GroupCommand.Loaded(new CompletableFuture<>()));
    }

    private static void register(
            GroupCommand.CommitInTransaction command,
            Registrations registrations,
            Coordinators<GroupCommand, ?, ?> groups,
            Consumer<GroupCommand> answerTo) {
        registrations
                .register(
                        command.transactionalId(),
                        new ProducerIdentity(command.producerId(), command.producerEpoch()),
                        command.joins(),
                        groups.responsible(command.caller().group()))
                .whenComplete((error, failure) -> {
                    ErrorCode answer = failure == null ? error : TxnErrors.code(failure);
                    answerTo.accept(new GroupCommand.Registered(command, answer));
                });
    }
}
