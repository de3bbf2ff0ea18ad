package io.millrace.acceptance.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** What the tables must hold, computed from the file alone and with none of the job's code; and what they do hold. */
final class FlightBatch {
    private static final int ONCE = 20_000;

    private FlightBatch() {}

    static Map<String, String> expectedHours() throws IOException {
        return expectedHours(ONCE);
    }

    /** "airport hour" to "flights minutes" of so many flights: after the file's last one its first one comes again. */
    static Map<String, String> expectedHours(int flights) throws IOException {
        Map<String, long[]> sums = new TreeMap<>();
        JsonNode file = file();
        for (int number = 0; number < flights; number++) {
            JsonNode flight = file.get(number % file.size());
            String hour = flight.get("date").asText().substring(0, 13).replace('/', '-');
            long[] sum = sums.computeIfAbsent(flight.get("origin").asText() + " " + hour, key -> new long[2]);
            sum[0]++;
            sum[1] += flight.get("delay").asInt();
        }
        Map<String, String> hours = new TreeMap<>();
        sums.forEach((key, sum) -> hours.put(key, sum[0] + " " + sum[1]));
        return hours;
    }

    static Map<String, String> storedHours(String url) throws SQLException {
        Map<String, String> hours = new TreeMap<>();
        query(url, "SELECT airport, departure_hour, flights, delay_minutes, mean_delay FROM airport_hours", row -> {
            String hour = row.getObject(2, java.time.OffsetDateTime.class)
                    .withOffsetSameInstant(java.time.ZoneOffset.UTC)
                    .toString()
                    .substring(0, 13)
                    .replace('T', ' ');
            if (row.getDouble(5) != (double) row.getLong(4) / row.getLong(3)) {
                throw new AssertionError("mean delay of %s %s is wrong".formatted(row.getString(1), hour));
            }
            hours.put(row.getString(1) + " " + hour, row.getLong(3) + " " + row.getLong(4));
        });
        return hours;
    }

    static List<String> expectedFlights() throws IOException {
        return expectedFlights(ONCE);
    }

    /** One line for each flight, sorted; a flight that is there twice is twice in the list. */
    static List<String> expectedFlights(int count) throws IOException {
        List<String> flights = new ArrayList<>();
        JsonNode file = file();
        for (int number = 0; number < count; number++) {
            JsonNode flight = file.get(number % file.size());
            flights.add("%07d %s %s %d"
                    .formatted(
                            number,
                            flight.get("origin").asText(),
                            flight.get("destination").asText(),
                            flight.get("delay").asInt()));
        }
        return flights;
    }

    static List<String> storedFlights(String url) throws SQLException {
        List<String> flights = new ArrayList<>();
        query(
                url,
                "SELECT flight_no, airport, destination, delay FROM each_flight",
                row -> flights.add(
                        "%07d %s %s %d".formatted(row.getInt(1), row.getString(2), row.getString(3), row.getInt(4))));
        Collections.sort(flights);
        return flights;
    }

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private static void query(String url, String sql, RowReader reader) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    static JsonNode file() throws IOException {
        try (InputStream file = FlightBatch.class.getResourceAsStream("/flights-20k.json.gz");
                InputStream json = new GZIPInputStream(file)) {
            return new ObjectMapper().readTree(json);
        }
    }
}
