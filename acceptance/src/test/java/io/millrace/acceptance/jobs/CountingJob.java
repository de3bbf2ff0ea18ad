package io.millrace.acceptance.jobs;

import static io.millrace.streams.Aggregations.count;
import static io.millrace.streams.Emission.EVERY_CHANGE;
import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.text;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.runtime.Millrace;

/**
 * A job to be killed: counts by key, and writes every change, so that each record can be accounted for. Arguments: its name, then those of
 * every job.
 */
final class CountingJob {
    private CountingJob() {}

    static Topic<String, String> in(String name) {
        return Topic.of(name + "-in", text(), text());
    }

    static Topic<String, Long> out(String name) {
        return Topic.of(name + "-out", text(), int64());
    }

    static Job job(String name) {
        return Job.define(
                name,
                flow -> flow.from(in(name))
                        .aggregate("counts", count(), EVERY_CHANGE)
                        .to(out(name)));
    }

    static String changelog(String name) {
        return name + "-counts-changelog";
    }

    public static void main(String[] args) {
        String[] rest = java.util.Arrays.copyOfRange(args, 1, args.length);
        Millrace.run(job(args[0]), rest);
    }
}
