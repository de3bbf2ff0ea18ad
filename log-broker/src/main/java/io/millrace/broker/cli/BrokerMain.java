package io.millrace.broker.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code millrace} command. */
@Command(
        name = "millrace",
        description = "A streaming log with exactly-once built in, and tools for any Kafka-protocol cluster.",
        mixinStandardHelpOptions = true,
        versionProvider = BrokerMain.Version.class,
        subcommands = {
            ServerCommand.class,
            TopicsCommand.class,
            GroupsCommand.class,
            TransactionsCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class
        })
public final class BrokerMain implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    static int execute(String... args) {
        return new CommandLine(new BrokerMain())
                .setExecutionExceptionHandler(new PlainErrors())
                .execute(args);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = BrokerMain.class.getPackage().getImplementationVersion();
            return new String[] {"millrace " + (version == null ? "(built from source)" : version)};
        }
    }
}
