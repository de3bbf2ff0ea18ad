package io.millrace.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogOutputTest {
    private final LoggerContext context = new LoggerContext();

    LogOutputTest() {
        context.setMDCAdapter(new LogbackMDCAdapter()); // a bare context has none, and drops its events for it
    }

    @Test
    void an_event_is_a_line_on_standard_error_and_libraries_are_quiet() {
        PrintStream standardError = System.err;
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        System.setErr(new PrintStream(lines, true, StandardCharsets.UTF_8));
        try {
            new LogOutput().configure(context);
            context.getLogger("io.millrace.broker.Some").info("said {}", "so");
            context.getLogger("io.netty.Some").info("not worth a line");
        } finally {
            System.setErr(standardError);
        }

        assertThat(lines.toString(StandardCharsets.UTF_8))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO  Some said so\\R");
        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).getLevel()).isEqualTo(Level.INFO);
    }

    @Test
    void a_configuration_file_that_the_user_names_comes_first() {
        System.setProperty(ClassicConstants.CONFIG_FILE_PROPERTY, "mine.xml");
        try {
            assertThat(new LogOutput().configure(context)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
        } finally {
            System.clearProperty(ClassicConstants.CONFIG_FILE_PROPERTY);
        }

        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders())
                .isExhausted();
    }
}
