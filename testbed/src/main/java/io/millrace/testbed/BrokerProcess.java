package io.millrace.testbed;

import java.nio.file.Path;

/** A broker in a process of its own, which can be killed and started again at the same address and folder. */
public interface BrokerProcess extends RunningBroker {
    /** Of the process that was started last. */
    long pid();

    Path data();

    /** Starts the process and returns at once. */
    void launch();

    /** Returns when it answers requests. */
    void awaitAnswer();

    default void startAgain() {
        launch();
        awaitAnswer();
    }

    /** SIGKILL. */
    void killHard();

    /** SIGTERM; returns when the process has ended. */
    void stop();
}
