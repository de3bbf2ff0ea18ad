package io.millrace.broker.cli;

import io.millrace.broker.wire.Protocol;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code millrace} command. */
@Command(
        name = "millrace",
        description = "A streaming log with exactly-once built in, and tools for any Kafka-protocol cluster.",
        mixinStandardHelpOptions = true,
        versionProvider = BrokerMain.Version.class)
public final class BrokerMain implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    static int execute(String... args) {
        boolean server = args.length > 0 && args[0].equals("server");
        if (server) {
            CompletableFuture.runAsync(Protocol::load);
        }
        CommandLine line = new CommandLine(new BrokerMain()).addSubcommand(new ServerCommand());
        if (!server) {
            // Looking at the tools loads much of the client library, which would make up a fifth of a server's start.
            line.addSubcommand(new TopicsCommand())
                    .addSubcommand(new GroupsCommand())
                    .addSubcommand(new TransactionsCommand())
                    .addSubcommand(new ClusterCommand())
                    .addSubcommand(new LogCommand())
                    .addSubcommand(new ProduceCommand())
                    .addSubcommand(new ConsumeCommand());
        }
        return line.setExecutionExceptionHandler(new PlainErrors()).execute(args);
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
