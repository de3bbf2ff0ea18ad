package io.millrace.broker.cli;

import io.millrace.broker.settings.InvalidSetting;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.NetworkException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;

/** What a person did wrong, or what the world refused, in one line; a stack trace only for our own mistakes. */
final class PlainErrors implements CommandLine.IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
            throws Exception {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean expected = cause instanceof InvalidSetting
                || cause instanceof DiskException
                || cause instanceof NetworkException
                || cause instanceof KafkaException
                || cause instanceof IllegalStateException
                || cause instanceof IllegalArgumentException;
        if (!expected) {
            throw failure;
        }
        command.getErr().println(command.getCommandName() + ": " + cause.getMessage());
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}
