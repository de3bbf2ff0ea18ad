package io.millrace.examples;

import static io.millrace.sinks.jdbc.Row.row;
import static io.millrace.streams.Aggregations.custom;
import static io.millrace.streams.Formats.int32;
import static io.millrace.streams.Formats.json;
import static io.millrace.streams.Formats.text;
import static io.millrace.streams.Formats.windowed;
import static io.millrace.streams.Windows.tumbling;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;

import io.millrace.sinks.jdbc.JdbcDatabase;
import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.Windowed;
import java.util.List;

/** Counts flights and averages delays, for each airport and hour of departure, into a table. */
final class FlightDelays {
    static final Topic<Integer, Flight> FLIGHTS = Topic.of("flights", int32(), json(Flight.class));
    static final Topic<String, Flight> BY_AIRPORT = Topic.of("flights-by-airport", text(), json(Flight.class));
    static final Topic<Windowed<String>, Delays> BY_HOUR =
            Topic.of("delays-by-hour", windowed(text()), json(Delays.class));

    private FlightDelays() {}

    /**
     * The job as a value.
     *
     * @param eachFlight also writes every flight into a table of its own, which has no key to hide a double behind
     */
    static Job job(JdbcDatabase database, boolean eachFlight) {
        return Job.define("flight-delays", flow -> {
            // flights of one airport come from all partitions of the first topic, each at its own pace: hence the grace
            flow.from(FLIGHTS)
                    .keyBy(Flight::origin)
                    .through(BY_AIRPORT)
                    .windowed(tumbling(ofHours(1)).grace(ofDays(100)))
                    .aggregate(
                            "hourly-delays",
                            custom(
                                    "delays",
                                    json(Delays.class),
                                    () -> Delays.NONE,
                                    (flight, soFar) -> soFar.with(flight)))
                    .through(BY_HOUR)
                    .into(database.upsert(
                            "airport_hours",
                            List.of("airport", "departure_hour"),
                            List.of("flights", "delay_minutes", "mean_delay"),
                            (hour, delays) ->
                                    row(hour.key(), hour.start(), delays.flights(), delays.minutes(), delays.mean())));
            if (eachFlight) {
                flow.from(FLIGHTS)
                        .into(database.insert(
                                "each_flight",
                                List.of("flight_no", "departure", "airport", "destination", "delay"),
                                (number, flight) -> row(
                                        number,
                                        flight.departure(),
                                        flight.origin(),
                                        flight.destination(),
                                        flight.delay())));
            }
        });
    }

    static JdbcDatabase withTables(JdbcDatabase database) {
        return database.setup("""
                        CREATE TABLE IF NOT EXISTS airport_hours (
                            airport VARCHAR(3) NOT NULL,
                            departure_hour TIMESTAMP WITH TIME ZONE NOT NULL,
                            flights BIGINT NOT NULL,
                            delay_minutes BIGINT NOT NULL,
                            mean_delay DOUBLE PRECISION NOT NULL,
                            PRIMARY KEY (airport, departure_hour))""").setup("""
                        CREATE TABLE IF NOT EXISTS each_flight (
                            flight_no INTEGER NOT NULL,
                            departure TIMESTAMP WITH TIME ZONE NOT NULL,
                            airport VARCHAR(3) NOT NULL,
                            destination VARCHAR(3) NOT NULL,
                            delay INTEGER NOT NULL)""");
    }

    public static void main(String[] args) {
        System.exit(new picocli.CommandLine(new FlightDelaysCommand()).execute(args));
    }
}
