package io.millrace.streams;

import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;

record SerdeFormat<T>(Serde<T> serde) implements Format<T> {
    @Override
    public String name() {
        return "serde(%s)".formatted(serde.getClass().getSimpleName());
    }

    @Override
    public byte[] write(String topic, T value) {
        try {
            return serde.serializer().serialize(topic, value);
        } catch (SerializationException e) {
            throw new FormatException("%s cannot write this value: %s".formatted(name(), e.getMessage()), e);
        }
    }

    @Override
    public T read(String topic, byte[] bytes) {
        try {
            return serde.deserializer().deserialize(topic, bytes);
        } catch (SerializationException e) {
            throw new FormatException("%s cannot read this: %s".formatted(name(), e.getMessage()), e);
        }
    }
}
