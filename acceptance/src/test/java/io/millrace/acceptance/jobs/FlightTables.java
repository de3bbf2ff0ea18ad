package io.millrace.acceptance.jobs;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tables beside the batch computation.
 *
 * @param lost flights that were fed and are not in the table that has no key
 * @param doubled rows of that table beyond the first of their flight
 * @param invented rows of flights that were never fed, or fed otherwise
 * @param hoursEqual whether the sums by airport and hour are the same, row by row
 */
public record FlightTables(int fed, int lost, int doubled, int invented, boolean hoursEqual) {
    static FlightTables compare(String url, int fed) throws SQLException, IOException {
        List<String> stored = FlightBatch.storedFlights(url);
        Set<String> storedOnce = new HashSet<>(stored);
        List<String> lost = new ArrayList<>(FlightBatch.expectedFlights(fed));
        Set<String> expected = new HashSet<>(lost);
        lost.removeIf(storedOnce::contains);
        int doubled = stored.size() - storedOnce.size();
        storedOnce.removeAll(expected);
        boolean hoursEqual = FlightBatch.storedHours(url).equals(FlightBatch.expectedHours(fed));
        return new FlightTables(fed, lost.size(), doubled, storedOnce.size(), hoursEqual);
    }

    public boolean isExact() {
        return lost == 0 && doubled == 0 && invented == 0 && hoursEqual;
    }

    @Override
    public String toString() {
        return "%,d flights fed: %d lost, %d doubled, %d invented, sums by hour %s"
                .formatted(fed, lost, doubled, invented, hoursEqual ? "equal" : "DIFFERENT");
    }
}
