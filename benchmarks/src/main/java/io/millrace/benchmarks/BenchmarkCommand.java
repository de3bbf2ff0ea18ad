package io.millrace.benchmarks;

import io.millrace.benchmarks.measure.Results;
import io.millrace.benchmarks.report.JsonReport;
import io.millrace.benchmarks.report.MarkdownReport;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.side.AttachedSide;
import io.millrace.benchmarks.side.Sides;
import io.millrace.benchmarks.workload.Bench;
import io.millrace.benchmarks.workload.ColdReader;
import io.millrace.benchmarks.workload.EndToEndLatency;
import io.millrace.benchmarks.workload.ForcedProduce;
import io.millrace.benchmarks.workload.JdbcSink;
import io.millrace.benchmarks.workload.ManyPartitions;
import io.millrace.benchmarks.workload.ProduceAndConsume;
import io.millrace.benchmarks.workload.ReplicatedProduce;
import io.millrace.benchmarks.workload.Scale;
import io.millrace.benchmarks.workload.StartUp;
import io.millrace.benchmarks.workload.StreamJobs;
import io.millrace.benchmarks.workload.Transactions;
import io.millrace.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs workloads on all sides and writes the report. */
@Command(
        name = "benchmark",
        mixinStandardHelpOptions = true,
        description = "Measures Millrace beside Apache Kafka, Kafka Streams and other sinks, on this machine.",
        footer = "JMH benchmarks of single inner loops: bin/benchmark jmh [PATTERN].")
public final class BenchmarkCommand implements Callable<Integer> {
    private static final List<Workload> ALL = List.of(
            new StartUp(),
            new ProduceAndConsume(),
            new ForcedProduce(),
            new EndToEndLatency(),
            new Transactions(),
            new ColdReader(),
            new StreamJobs(),
            new JdbcSink(),
            new ManyPartitions(),
            new ReplicatedProduce());

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "only these workloads; all: start, produce, forced, latency, transactions, cold-reader, jobs, sink, partitions, replicated")
    private Set<String> only = Set.of();

    @Option(names = "--quick", description = "a hundredth of everything: shows that all runs, its figures mean nothing")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "how often each side is measured (default: 3)")
    private Integer rounds;

    @Option(
            names = "--attach",
            paramLabel = "LABEL=HOST:PORT[@PID]",
            description = "a running broker instead of one that is started here; give it twice, ours first; "
                    + "with the process number of a broker on this machine its CPU time is measured too")
    private List<String> attach = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "benchmarks/target/run",
            description = "where report and brokers' folders go (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "also write the report to this page; its hand-written reading is kept, "
                    + "and so is what this run does not measure")
    private Path page;

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchmarkCommand()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Results results = new Results();
        long start = System.nanoTime();
        Path folder = Files.createTempDirectory(Files.createDirectories(out), "brokers-");
        try (Sides sides =
                new Sides(folder, attach.stream().map(AttachedSide::parse).toList())) {
            for (Workload workload : chosen()) {
                System.out.printf("%s%n", workload.name());
                workload.run(new Bench(workload.name(), scale(), sides, results, folder));
                // an hour is long: who ends the run early keeps what is measured
                write(Report.of(command(), ALL, results));
            }
        } finally {
            Folders.delete(folder);
        }
        System.out.printf(
                "%n%s%nwritten to %s and results.json, in %d minutes%n",
                Files.readString(resultsPage()),
                resultsPage(),
                Duration.ofNanos(System.nanoTime() - start).toMinutes());
        return CommandLine.ExitCode.OK;
    }

    private Scale scale() {
        Scale scale = quick ? Scale.QUICK : Scale.FULL;
        return rounds == null ? scale : new Scale(rounds, scale.share());
    }

    private List<Workload> chosen() {
        Set<String> unknown = new TreeSet<>(only);
        ALL.forEach(workload -> unknown.remove(workload.name()));
        if (!unknown.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no workload has the name %s; there are %s"
                            .formatted(
                                    String.join(", ", unknown),
                                    ALL.stream().map(Workload::name).collect(Collectors.joining(", "))));
        }
        return ALL.stream()
                .filter(workload -> only.isEmpty() || only.contains(workload.name()))
                .toList();
    }

    private void write(Report report) throws IOException {
        MarkdownReport markdown = new MarkdownReport(report);
        Files.writeString(out.resolve("results.json"), JsonReport.text(report));
        Files.writeString(resultsPage(), markdown.page(""));
        if (page != null) {
            Files.writeString(page, markdown.page(Files.exists(page) ? Files.readString(page) : ""));
        }
    }

    private Path resultsPage() {
        return out.resolve("results.md");
    }

    private String command() {
        return "bin/benchmark "
                + String.join(" ", spec.commandLine().getParseResult().originalArgs());
    }
}
