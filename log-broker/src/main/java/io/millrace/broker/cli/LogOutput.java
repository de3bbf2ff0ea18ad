package io.millrace.broker.cli;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * What the command line logs: one line an event, on standard error, from the level in the environment variable {@code
 * LOG_LEVEL} on. In Java, because reading the same from XML made up a fifth of a server's start; a file that
 * {@code -Dlogback.configurationFile} names is read instead.
 */
public final class LogOutput extends ContextAwareBase implements Configurator {

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getenv("LOG_LEVEL"), Level.INFO));
        root.addAppender(standardError(context));
        context.getLogger("org.apache.kafka").setLevel(Level.WARN);
        context.getLogger("org.apache.ratis").setLevel(Level.WARN);
        // a stack trace for each try to reach a node that is down, beside the warning now and then that tells enough
        context.getLogger("org.apache.ratis.util.LifeCycle").setLevel(Level.OFF);
        context.getLogger("io.netty").setLevel(Level.WARN);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static ConsoleAppender<ILoggingEvent> standardError(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5level %logger{0} %msg%n");
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
