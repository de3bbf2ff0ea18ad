package io.millrace.broker.quorum;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.ratis.protocol.RaftGroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which Ratis keeps the term that this node is in and whom it has voted for. On a full disk Ratis puts what it
 * could write of a new one in the place of the old one, and can then not be started any more; so a copy is kept.
 */
final class TermFile {
    private static final Logger LOG = LoggerFactory.getLogger(TermFile.class);
    private static final String TERM = "term";
    private static final String VOTE = "votedFor";

    /** More than there can have been since the copy was made: one is made whenever a leader is heard of. */
    private static final long TERMS_SINCE_COPY = 1_000;

    private final Disk disk;
    private final Path file;
    private final Path copy;

    /** @param folder of Ratis */
    TermFile(Disk disk, Path folder, RaftGroupId group) {
        this.disk = disk;
        file = folder.resolve(group.getUuid().toString()).resolve("current").resolve("raft-meta");
        copy = file.resolveSibling("raft-meta.copy");
    }

    /** Keeps a copy, if there is room for it. */
    void keep() {
        try {
            if (isSound(file)) {
                disk.replace(copy, disk.readFully(file));
            }
        } catch (DiskException e) {
            LOG.debug("no copy of the term: {}", e.getMessage());
        }
    }

    /**
     * Before a start: puts a later term, in which this node has not voted, in the place of one that cannot be read, or is
     * gone. The leader of the moment then has to be elected again, and nobody gets a second vote of this node.
     */
    void mend() {
        if (isSound(file) || !isSound(copy)) {
            return;
        }
        long term = Long.parseLong(read(copy).getProperty(TERM)) + TERMS_SINCE_COPY;
        LOG.warn("{} cannot be read; goes on in term {}", file, term);
        disk.replace(file, (TERM + "=" + term + "\n" + VOTE + "=\n").getBytes(StandardCharsets.UTF_8));
    }

    private boolean isSound(Path path) {
        if (!disk.exists(path)) {
            return false;
        }
        Properties values = read(path);
        return values.getProperty(VOTE) != null && values.getProperty(TERM, "").matches("\\d+");
    }

    private Properties read(Path path) {
        Properties values = new Properties();
        try {
            values.load(new StringReader(new String(disk.readFully(path), StandardCharsets.UTF_8)));
        } catch (IOException | IllegalArgumentException e) {
            LOG.debug("{} is no list of values", path, e);
        }
        return values;
    }
}
