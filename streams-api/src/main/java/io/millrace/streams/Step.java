package io.millrace.streams;

/**
 * One word of a job's definition.
 *
 * @param id position in the definition, from 0
 * @param input the step whose records this one takes, or {@link #NO_INPUT}
 */
public record Step(int id, int input, Operation operation) {
    public static final int NO_INPUT = -1;
}
