package io.millrace.examples;

/** Flights and their delay in minutes, added up. */
record Delays(long flights, long minutes) {
    static final Delays NONE = new Delays(0, 0);

    Delays with(Flight flight) {
        return new Delays(flights + 1, minutes + flight.delay());
    }

    double mean() {
        return (double) minutes / flights;
    }
}
