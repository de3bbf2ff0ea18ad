package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordBatchTest {

    @Test
    void what_was_built_is_read_again() {
        ByteBuffer bytes = new BatchBuilder()
                .add(1000, LogFixture.bytes("key"), LogFixture.bytes("value"))
                .add(900, (byte[]) null, LogFixture.bytes(""))
                .add(1_000_000, LogFixture.bytes("gone"), null)
                .producer(42, (short) 3, Integer.MAX_VALUE)
                .transactional()
                .at(100, 5)
                .build();

        RecordBatch batch = new RecordBatch().at(bytes, 0);
        assertThat(batch.checksumOk()).isTrue();
        assertThat(batch.sizeBytes()).isEqualTo(bytes.limit());
        assertThat(batch.baseOffset()).isEqualTo(100);
        assertThat(batch.lastOffset()).isEqualTo(102);
        assertThat(batch.leaderEpoch()).isEqualTo(5);
        assertThat(batch.maxTimestamp()).isEqualTo(1_000_000);
        assertThat(batch.producerId()).isEqualTo(42);
        assertThat(batch.producerEpoch()).isEqualTo((short) 3);
        assertThat(batch.lastSequence()).as("starts over").isEqualTo(1);
        assertThat(batch.transactional()).isTrue();
        assertThat(batch.control()).isFalse();

        RecordReader records = new RecordReader(batch);
        assertThat(records.next()).isTrue();
        assertThat(records.key()).isEqualTo(ByteBuffer.wrap(LogFixture.bytes("key")));
        assertThat(records.next()).isTrue();
        assertThat(records.key()).isNull();
        assertThat(records.value().remaining()).isZero();
        assertThat(records.timestamp()).isEqualTo(900);
        assertThat(records.next()).isTrue();
        assertThat(records.value()).isNull();
        assertThat(records.offset()).isEqualTo(102);
        assertThat(records.next()).isFalse();
    }

    @Test
    void a_marker_says_how_a_transaction_ended() {
        ByteBuffer bytes = BatchBuilder.endTransactionMarker(7, (short) 2, true, 9, 1000);

        RecordBatch batch = new RecordBatch().at(bytes, 0);
        assertThat(batch.control() && batch.transactional()).isTrue();
        assertThat(TransactionMarker.of(batch))
                .isEqualTo(Optional.of(new TransactionMarker(7, (short) 2, true, 9, false)));
    }

    @Test
    void a_buffer_may_end_in_the_middle_of_a_batch() {
        ByteBuffer one = new BatchBuilder().add(1, (byte[]) null, new byte[10]).build();
        ByteBuffer buffer = ByteBuffer.allocate(1000)
                .put(one.duplicate())
                .put(one.duplicate())
                .flip();

        for (int limit = 0; limit <= buffer.capacity() && limit <= 2 * one.limit(); limit++) {
            RecordBatches batches = new RecordBatches(buffer.duplicate().limit(limit));
            assertThat(batches).hasSize(limit / one.limit());
            assertThat(batches.trailingBytes()).isEqualTo(limit % one.limit());
        }
    }

    @Test
    void nonsense_in_records_is_one_kind_of_error() {
        Random random = new Random(3);
        for (int i = 0; i < 2000; i++) {
            BatchBuilder builder = new BatchBuilder();
            for (int j = 0; j < 3; j++) {
                builder.add(1000, new byte[5], new byte[20]);
            }
            ByteBuffer bytes = builder.build();
            int at = RecordBatch.OVERHEAD + random.nextInt(bytes.limit() - RecordBatch.OVERHEAD);
            bytes.put(at, (byte) random.nextInt());
            bytes.putShort(RecordBatch.ATTRIBUTES_AT, (short) random.nextInt(5));
            try {
                RecordReader records = new RecordReader(new RecordBatch().at(bytes, 0));
                int count = 0;
                while (records.next()) {
                    count++;
                }
                assertThat(count).isEqualTo(3);
            } catch (CorruptBatchException expected) {
                assertThat(expected).hasMessageMatching(".*(batch|record).*");
            }
        }
        assertThatThrownBy(() ->
                        Varints.readLong(ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1})))
                .isInstanceOf(CorruptBatchException.class);
    }
}
