package io.millrace.streams.runtime;

import static io.millrace.streams.Formats.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class JobCommandTest {
    private static final Topic<String, String> IN = Topic.of("in", text(), text());
    private static final Topic<String, String> OUT = Topic.of("out", text(), text());

    private final StringWriter printed = new StringWriter();

    @Test
    void describe_prints_text_and_graph_and_connects_nowhere() {
        int code = run("--describe");

        assertThat(code).isZero();
        assertThat(printed.toString())
                .contains("stage in, committed by the log")
                .contains("flowchart LR");
    }

    @Test
    void embedded_without_a_broker_on_the_class_path_says_what_to_add() {
        int code = run("--embedded", "target/nowhere");

        assertThat(code).isEqualTo(1);
        assertThat(printed.toString()).contains("io.millrace:log-broker").contains("--bootstrap HOST:PORT");
    }

    @Test
    void where_to_run_has_to_be_said_once() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("--bootstrap", "a:1", "--describe")).isEqualTo(2);
    }

    @Test
    void reset_says_what_it_takes() {
        assertThat(run("--bootstrap", "a:1", "--reset", "yesterday")).isEqualTo(2);

        assertThat(printed.toString()).contains("takes 'earliest' or a time").contains("found 'yesterday'");
    }

    private int run(String... args) {
        Job job = Job.define("copy", flow -> flow.from(IN).to(OUT));
        PrintWriter writer = new PrintWriter(printed, true);
        CommandLine command = Millrace.command(job).setOut(writer).setErr(writer);
        return command.execute(args);
    }
}
