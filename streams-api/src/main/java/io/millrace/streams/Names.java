package io.millrace.streams;

import java.util.regex.Pattern;

/** Names of jobs, states and sinks become parts of topic, group and folder names, so they keep to the same letters. */
final class Names {
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}");

    private Names() {}

    static void check(String thing, String name) {
        if (!LEGAL.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a %s has 1 to 100 letters, digits, '.', '_' or '-' and begins with a letter or digit, found '%s'"
                            .formatted(thing, name));
        }
    }
}
