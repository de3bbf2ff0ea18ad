package io.millrace.broker.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/** The payload of a compressed record batch, by the number of the compression in the batch's attributes. */
public final class CompressedBatches {
    private static final byte MAGIC = 2;

    private CompressedBatches() {}

    public static ByteBuffer decompress(int compression, ByteBuffer payload) {
        try (InputStream in = codec(compression).wrapForInput(payload, MAGIC, BufferSupplier.NO_CACHING)) {
            return ByteBuffer.wrap(in.readAllBytes());
        } catch (IOException | KafkaException e) {
            throw new UnreadableException(e);
        }
    }

    public static ByteBuffer compress(int compression, ByteBuffer records) {
        ByteBufferOutputStream out = new ByteBufferOutputStream(Math.max(64, records.remaining() / 2));
        byte[] content = new byte[records.remaining()];
        records.duplicate().get(content);
        try (OutputStream compressing = codec(compression).wrapForOutput(out, MAGIC)) {
            compressing.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.buffer().flip();
    }

    private static Compression codec(int compression) {
        return Compression.of(CompressionType.forId(compression)).build();
    }

    /** The bytes are not what their compression's number says. */
    public static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnreadableException(Exception cause) {
            super(cause);
        }
    }
}
