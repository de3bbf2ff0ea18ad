package io.millrace.streams;

import java.util.regex.Pattern;

/** A topic and its types, declared once, as a constant. */
public record Topic<K, V>(String name, Format<K> keyFormat, Format<V> valueFormat) {
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    public Topic {
        if (!LEGAL.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException(
                    "a topic name has 1 to 249 letters, digits, '.', '_' or '-', found '%s'".formatted(name));
        }
    }

    public static <K, V> Topic<K, V> of(String name, Format<K> keyFormat, Format<V> valueFormat) {
        return new Topic<>(name, keyFormat, valueFormat);
    }
}
