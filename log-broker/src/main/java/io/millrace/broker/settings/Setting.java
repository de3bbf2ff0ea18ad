package io.millrace.broker.settings;

import java.util.List;
import java.util.Locale;

/**
 * One thing that can be set.
 *
 * @param choices the allowed words of a WORD or LIST; empty for any
 * @param fallback for a topic: the broker's setting that is its default; null where there is none
 * @param whileRunning whether a change takes effect without a restart
 */
public record Setting(
        String name,
        Kind kind,
        String defaultValue,
        double least,
        double most,
        List<String> choices,
        String fallback,
        boolean whileRunning,
        String meaning) {

    /** What a value looks like. */
    public enum Kind {
        BOOLEAN,
        INT,
        LONG,
        DOUBLE,
        WORD,
        LIST,
        REPLICAS;

        /** Whether values can be appended to it and subtracted from it, one by one. */
        public boolean isList() {
            return this == LIST || this == REPLICAS;
        }
    }

    static Setting flag(String name, boolean defaultValue, String meaning) {
        return of(name, Kind.BOOLEAN, String.valueOf(defaultValue), 0, 0, List.of("true", "false"), meaning);
    }

    static Setting number(String name, int defaultValue, int least, int most, String meaning) {
        return of(name, Kind.INT, String.valueOf(defaultValue), least, most, List.of(), meaning);
    }

    static Setting large(String name, long defaultValue, long least, String meaning) {
        return of(
                name,
                Kind.LONG,
                String.valueOf(defaultValue),
                (double) least,
                (double) Long.MAX_VALUE,
                List.of(),
                meaning);
    }

    static Setting share(String name, double defaultValue, String meaning) {
        return of(name, Kind.DOUBLE, String.valueOf(defaultValue), 0, 1, List.of(), meaning);
    }

    static Setting word(String name, String defaultValue, List<String> choices, String meaning) {
        return of(name, Kind.WORD, defaultValue, 0, 0, choices, meaning);
    }

    static Setting list(String name, String defaultValue, List<String> choices, String meaning) {
        return of(name, Kind.LIST, defaultValue, 0, 0, choices, meaning);
    }

    static Setting replicas(String name, String meaning) {
        return of(name, Kind.REPLICAS, "", 0, 0, List.of(), meaning);
    }

    private static Setting of(
            String name, Kind kind, String value, double least, double most, List<String> choices, String meaning) {
        return new Setting(name, kind, value, least, most, choices, null, false, meaning);
    }

    Setting orBroker(String brokerSetting) {
        return new Setting(name, kind, defaultValue, least, most, choices, brokerSetting, true, meaning);
    }

    Setting changeable() {
        return new Setting(name, kind, defaultValue, least, most, choices, fallback, true, meaning);
    }

    Setting named(String otherName) {
        return new Setting(otherName, kind, defaultValue, least, most, choices, null, true, meaning);
    }

    /**
     * Refuses a value that is not allowed.
     *
     * @throws InvalidSetting naming the setting, the value and the allowed range
     */
    public void check(String value) {
        if (value == null || !isAllowed(value.trim())) {
            throw new InvalidSetting(name + " is '" + value + "'; allowed: " + allowed());
        }
    }

    private boolean isAllowed(String value) {
        try {
            return switch (kind) {
                case BOOLEAN, WORD -> choices.isEmpty() || choices.contains(value.toLowerCase(Locale.ROOT));
                case INT -> inRange(Integer.parseInt(value));
                case LONG -> inRange((double) Long.parseLong(value));
                case DOUBLE -> inRange(Double.parseDouble(value));
                case LIST -> choices.isEmpty() || value.isEmpty() || allChoices(value);
                case REPLICAS -> {
                    ThrottledReplicas.parse(value);
                    yield true;
                }
            };
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    private boolean inRange(double value) {
        return value >= least && value <= most;
    }

    private boolean allChoices(String value) {
        for (String word : value.split(",")) {
            if (!choices.contains(word.trim())) {
                return false;
            }
        }
        return true;
    }

    /** The allowed values in words. */
    public String allowed() {
        return switch (kind) {
            case BOOLEAN, WORD -> choices.isEmpty() ? "any text" : String.join(", ", choices);
            case LIST -> choices.isEmpty() ? "a list of words" : "a list of " + String.join(", ", choices);
            case REPLICAS -> "PARTITION:BROKER pairs with commas between them, * for all, or nothing";
            case INT, LONG -> "a whole number from " + (long) least + " to " + (long) most;
            case DOUBLE -> "a number from " + least + " to " + most;
        };
    }
}
