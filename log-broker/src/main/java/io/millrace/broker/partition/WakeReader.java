package io.millrace.broker.partition;

/** A reader has waited long enough. */
public record WakeReader(FetchWaits.Reader reader) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        reader.wake();
    }
}
