package io.millrace.streams;

/** What a topic behind an aggregate gets of a value that changes several times within a commit interval. */
public enum Emission {
    /** The last value of each key, once it is going to be committed: the topic is a table that is kept up to date. */
    LATEST,
    /** Each value that there was, also those that the next record of the same interval replaced. */
    EVERY_CHANGE
}
