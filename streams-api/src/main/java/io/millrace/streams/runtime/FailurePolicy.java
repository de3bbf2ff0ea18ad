package io.millrace.streams.runtime;

/**
 * What happens to a record that fails.
 *
 * @param attempts how often it is processed before it becomes a dead letter, at least 1
 */
public record FailurePolicy(int attempts, BadRecordBudget budget) {
    public static final FailurePolicy DEFAULT = new FailurePolicy(3, BadRecordBudget.share(0.5, 100));

    public FailurePolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("a record is attempted at least once, found " + attempts);
        }
    }

    public FailurePolicy budget(BadRecordBudget newBudget) {
        return new FailurePolicy(attempts, newBudget);
    }
}
