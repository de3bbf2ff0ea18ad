package io.millrace.benchmarks.job;

import static io.millrace.streams.Formats.bytes;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;

/** Changes one byte of each record. Arguments: bootstrap, job name, topic in, topic out, folder. */
public final class MapJob {
    private MapJob() {}

    public static void main(String[] args) {
        Topic<byte[], byte[]> in = Topic.of(args[2], bytes(), bytes());
        Topic<byte[], byte[]> out = Topic.of(args[3], bytes(), bytes());
        Job job = Job.define(args[1], flow -> flow.from(in).map(MapJob::changed).to(out));
        JobProcess.run(job, args[0], args[4]);
    }

    private static byte[] changed(byte[] value) {
        byte[] copy = value.clone();
        copy[0] ^= 1;
        return copy;
    }
}
