package io.millrace.streams.runtime;

/** What an error of the log means for the worker that got it. */
enum Verdict {
    /** Nothing is decided: the same call may be made again. */
    REPEAT,
    /** The transaction cannot commit: abort it, return to the last commit, go on. */
    ABORT,
    /** Somebody else has this identity, or it is used up: close, and come back under a new one. */
    IDENTITY_FINISHED,
    /** One record can never be written: it becomes a dead letter, the others go on. */
    RECORD,
    /** No repetition helps until somebody changes a permission, a setting or a version: stop the job. */
    STOP
}
