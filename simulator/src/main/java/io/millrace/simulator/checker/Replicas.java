package io.millrace.simulator.checker;

import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.log.RecordBatches;
import io.millrace.kernel.Disk;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** I6: the logs of all replicas of a partition are the same bytes, batch by batch. Looks at their files. */
public final class Replicas {
    private Replicas() {}

    /**
     * @param disks of the replicas, by node
     * @param folder of the partition, on each
     */
    public static void check(String partition, Map<Integer, Disk> disks, Path folder) {
        Map<Integer, byte[]> logs = new TreeMap<>();
        disks.forEach((node, disk) -> logs.put(node, batches(disk, folder)));
        byte[] first = null;
        int firstNode = -1;
        for (Map.Entry<Integer, byte[]> entry : logs.entrySet()) {
            if (first == null) {
                first = entry.getValue();
                firstNode = entry.getKey();
            } else {
                compare(partition, firstNode, first, entry.getKey(), entry.getValue());
            }
        }
    }

    private static void compare(String partition, int oneNode, byte[] one, int otherNode, byte[] other) {
        int at = java.util.Arrays.mismatch(one, other);
        if (at >= 0) {
            throw new Violation(
                    "I6",
                    partition + " differs on n" + oneNode + " and n" + otherNode + " from byte " + at
                            + " on, of " + one.length + " and " + other.length + ": " + batchAt(one, at) + " and "
                            + batchAt(other, at));
        }
    }

    private static String batchAt(byte[] log, int position) {
        int at = 0;
        for (RecordBatch batch : new RecordBatches(ByteBuffer.wrap(log))) {
            if (at + batch.sizeBytes() > position) {
                return batch + " of leader epoch " + batch.leaderEpoch();
            }
            at += batch.sizeBytes();
        }
        return "nothing";
    }

    private static byte[] batches(Disk disk, Path folder) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Path file : disk.list(folder)) {
            if (file.toString().endsWith(".log")) {
                byte[] content = disk.readFully(file);
                int left = new RecordBatches(ByteBuffer.wrap(content)).trailingBytes();
                all.write(content, 0, content.length - left);
            }
        }
        return all.toByteArray();
    }
}
