package io.millrace.simulator.client;

/** A request came to nothing, or perhaps to something that nobody has said: it may be tried again. */
public final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NoAnswer(String why) {
        super(why, null, false, false);
    }
}
