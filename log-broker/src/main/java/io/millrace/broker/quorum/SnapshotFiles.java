package io.millrace.broker.quorum;

import io.millrace.broker.metadata.proto.QuorumSnapshot;
import io.millrace.kernel.Disk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;

/** Snapshots on disk, each one file and another with its checksum, which Ratis also sends to nodes that need them. */
final class SnapshotFiles {
    private final Disk disk;
    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

    SnapshotFiles(Disk disk) {
        this.disk = disk;
    }

    void open(RaftStorage folder) throws IOException {
        storage.init(folder);
    }

    StateMachineStorage storage() {
        return storage;
    }

    Optional<SingleFileSnapshotInfo> newest() {
        return Optional.ofNullable(storage.loadLatestSnapshot());
    }

    /** @throws IOException where the file does not hold what was written; its log is gone, so nothing else can stand in */
    QuorumSnapshot read(SingleFileSnapshotInfo snapshot) throws IOException {
        Path path = snapshot.getFile().getPath();
        byte[] content = disk.readFully(path);
        MD5Hash found = checksum(content);
        MD5Hash written = snapshot.getFile().getFileDigest();
        if (!found.equals(written)) {
            throw new IOException(
                    "the metadata snapshot " + path + " has the checksum " + found + ", but was written with " + written
                            + "; delete this node's folder of the quorum to have it copied from the others");
        }
        return QuorumSnapshot.parseFrom(content);
    }

    private static MD5Hash checksum(byte[] content) {
        return MD5Hash.newInstance(MD5FileUtil.newMD5().digest(content));
    }

    void write(TermIndex upTo, QuorumSnapshot snapshot) throws IOException {
        File file = storage.getSnapshotFile(upTo.getTerm(), upTo.getIndex());
        byte[] content = snapshot.toByteArray();
        MD5Hash checksum = checksum(content);
        MD5FileUtil.saveMD5File(file, checksum); // first, so that there is no snapshot without one
        disk.replace(file.toPath(), content);
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(file.toPath(), checksum), upTo));
    }
}
