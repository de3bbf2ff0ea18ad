package io.millrace.streams.runtime;

/** What a thread of a job runs. Ends when the job stops; an exception from it stops the job. */
interface Worker extends Runnable {
    /** What it is doing, or waiting for, in words. */
    String note();
}
