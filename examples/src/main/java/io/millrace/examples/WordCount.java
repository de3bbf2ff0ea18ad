package io.millrace.examples;

import static io.millrace.streams.Aggregations.count;
import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.none;
import static io.millrace.streams.Formats.text;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.runtime.Millrace;
import java.util.List;
import java.util.Locale;

final class WordCount {
    static final Topic<Void, String> LINES = Topic.of("lines", none(), text());
    static final Topic<String, String> WORDS = Topic.of("words", text(), text());
    static final Topic<String, Long> COUNTS = Topic.of("counts", text(), int64());

    private WordCount() {}

    static Job job() {
        return Job.define(
                "word-count",
                flow -> flow.from(LINES)
                        .flatMap(line -> List.of(line.toLowerCase(Locale.ROOT).split("\\W+", -1)))
                        .filter(word -> !word.isEmpty())
                        .keyBy(word -> word)
                        .through(WORDS)
                        .aggregate("word-counts", count())
                        .to(COUNTS));
    }

    public static void main(String[] args) {
        Millrace.run(job(), args);
    }
}
