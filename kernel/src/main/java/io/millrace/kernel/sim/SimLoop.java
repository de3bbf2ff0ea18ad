package io.millrace.kernel.sim;

import io.millrace.kernel.Loop;

/** A loop whose messages are events of the world; each is a batch of its own. */
final class SimLoop<M> implements Loop<M> {
    private final SimWorld world;
    private final Handler<M> handler;
    private boolean closed;

    SimLoop(SimWorld world, Handler<M> handler) {
        this.world = world;
        this.handler = handler;
    }

    @Override
    public boolean submit(M message) {
        world.at(0, () -> {
            if (!closed) {
                handler.handle(message);
                handler.batchEnd();
            }
        });
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }
}
