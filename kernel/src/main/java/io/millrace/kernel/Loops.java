package io.millrace.kernel;

/** Starts loops; in the real world each has a thread of its own. */
public interface Loops {

    <M> Loop<M> start(String name, int capacity, Loop.Handler<M> handler);
}
