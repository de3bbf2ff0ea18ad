package io.millrace.broker.group;

/** What the host does once the events of a decision are committed. */
public sealed interface GroupEffect {

    /** Completes the future of a command. */
    record Reply(Runnable completion) implements GroupEffect {}

    /** Asks the transaction's coordinator and answers with {@link GroupCommand.Registered}. */
    record Register(GroupCommand.CommitInTransaction command) implements GroupEffect {}
}
