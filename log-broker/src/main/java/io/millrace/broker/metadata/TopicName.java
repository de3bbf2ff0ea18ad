package io.millrace.broker.metadata;

import java.util.regex.Pattern;

/** What a topic may be called. */
final class TopicName {
    private static final int MAX_LENGTH = 249;
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]+");

    private TopicName() {}

    /** Why a name is not allowed; null when it is. */
    static String refusal(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            return "a topic cannot be called '" + name + "'";
        }
        if (name.length() > MAX_LENGTH) {
            return "the topic name has " + name.length() + " characters; allowed are " + MAX_LENGTH;
        }
        if (!LEGAL.matcher(name).matches()) {
            return "topic name '" + name + "' holds characters other than letters, digits, '.', '_' and '-'";
        }
        return null;
    }

    /** Names that differ only in '.' and '_' would share a metric name. */
    static boolean collide(String one, String other) {
        return one.replace('.', '_').equals(other.replace('.', '_'));
    }
}
