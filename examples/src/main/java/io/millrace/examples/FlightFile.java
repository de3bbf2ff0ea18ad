package io.millrace.examples;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The 20,000 flights that come with the example; a flight's number is its place in the file. */
final class FlightFile {
    private static final String NAME = "/flights-20k.json.gz";

    private FlightFile() {}

    static List<Flight> read() {
        try (InputStream file = FlightFile.class.getResourceAsStream(NAME);
                InputStream json = new GZIPInputStream(file)) {
            return List.of(JsonMapper.builder().build().readValue(json, Flight[].class));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s from the class path".formatted(NAME), e);
        }
    }
}
