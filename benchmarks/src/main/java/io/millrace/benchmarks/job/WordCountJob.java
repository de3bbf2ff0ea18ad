package io.millrace.benchmarks.job;

import static io.millrace.streams.Aggregations.count;
import static io.millrace.streams.Formats.bytes;
import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.text;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import java.util.Arrays;

/** Counts words. Arguments: bootstrap, job name, topic of lines, topic of counts, folder. */
public final class WordCountJob {
    private WordCountJob() {}

    public static void main(String[] args) {
        Topic<byte[], String> lines = Topic.of(args[2], bytes(), text());
        Topic<String, String> words = Topic.of(args[1] + "-words", text(), text());
        Topic<String, Long> counts = Topic.of(args[3], text(), int64());
        Job job = Job.define(
                args[1],
                flow -> flow.from(lines)
                        .flatMap(line -> Arrays.asList(line.split(" ", -1)))
                        .keyBy(word -> word)
                        .through(words)
                        .aggregate("counts", count())
                        .to(counts));
        JobProcess.run(job, args[0], args[4]);
    }
}
