package io.millrace.streams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;

final class JsonFormat<T> implements Format<T> {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private final Class<T> type;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    JsonFormat(Class<T> type) {
        this.type = type;
        this.reader = MAPPER.readerFor(type);
        this.writer = MAPPER.writerFor(type);
    }

    @Override
    public String name() {
        return "json(%s)".formatted(type.getSimpleName());
    }

    @Override
    public byte[] write(String topic, T value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new FormatException("%s cannot write this value: %s".formatted(name(), e.getOriginalMessage()), e);
        }
    }

    @Override
    public T read(String topic, byte[] bytes) {
        try {
            T value = reader.readValue(bytes);
            if (value == null) {
                throw new FormatException("%s takes an object, found the JSON value null".formatted(name()));
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new FormatException("%s cannot read this: %s".formatted(name(), e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new FormatException("%s cannot read this: %s".formatted(name(), e.getMessage()), e);
        }
    }
}
