package io.millrace.examples;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** A domestic flight as the file has it; delay in minutes, negative if early; distance in miles. */
record Flight(String date, int delay, int distance, String origin, String destination) {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm");

    /** The file gives local times without a zone; they are taken as UTC. */
    Instant departure() {
        return LocalDateTime.parse(date, DATE).toInstant(ZoneOffset.UTC);
    }
}
