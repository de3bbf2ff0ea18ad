package io.millrace.benchmarks.workload;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Values that compress about as well as real ones: JSON with some words that repeat and some chance. */
final class Payload {
    private static final int VARIETY = 5000;
    private static final String[] CITIES = {"Berlin", "Lagos", "Lima", "Osaka", "Quito", "Turin", "Leeds", "Perth"};
    private static final String[] STATES = {"NEW", "PAID", "SHIPPED", "DELIVERED", "RETURNED"};
    private static final long SEED = 42;

    private final byte[][] values = new byte[VARIETY][];

    private Payload() {}

    static Payload ofBytes(int size) {
        Payload payload = new Payload();
        Random random = new Random(SEED);
        Arrays.setAll(payload.values, i -> json(random, size).getBytes(StandardCharsets.UTF_8));
        return payload;
    }

    byte[] value(long number) {
        return values[(int) (number % VARIETY)];
    }

    private static String json(Random random, int size) {
        StringBuilder text = new StringBuilder(size + 64).append("{\"order\":").append(random.nextInt(900_000_000));
        while (text.length() < size - 2) {
            text.append(",\"city\":\"").append(CITIES[random.nextInt(CITIES.length)]);
            text.append("\",\"state\":\"").append(STATES[random.nextInt(STATES.length)]);
            text.append("\",\"sku\":\"").append(Integer.toHexString(random.nextInt()));
            text.append("\",\"amount\":").append(random.nextInt(100_000));
        }
        text.setLength(size - 1);
        return text.append('}').toString();
    }
}
