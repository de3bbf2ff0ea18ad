package io.millrace.kernel.sim;

import io.millrace.kernel.Loop;
import java.util.ArrayDeque;
import java.util.Queue;

/** A loop whose turns are events of the world. */
final class SimLoop<M> implements Loop<M> {
    private final SimProcess process;
    private final String name;
    private final Handler<M> handler;
    private final Queue<M> queue = new ArrayDeque<>();
    private boolean busy;
    private boolean closed;

    SimLoop(SimProcess process, String name, Handler<M> handler) {
        this.process = process;
        this.name = name;
        this.handler = handler;
    }

    @Override
    public boolean submit(M message) {
        queue.add(message);
        process.at(process.jitterMs(), name, this::turn);
        return true;
    }

    @Override
    public boolean handOver(M message) {
        if (busy || closed || !queue.isEmpty() || !process.chance(2)) {
            return submit(message);
        }
        queue.add(message);
        turn();
        return true;
    }

    private void turn() {
        int left = closed ? 0 : process.batch(queue.size());
        if (left == 0 || busy) {
            return;
        }
        busy = true;
        try {
            while (left-- > 0 && !closed) {
                handler.handle(queue.remove());
            }
            if (!closed) {
                handler.batchEnd();
            }
        } finally {
            busy = false;
        }
    }

    @Override
    public void close() {
        while (!busy && !closed && !queue.isEmpty()) {
            turn();
        }
        closed = true;
        queue.clear();
    }
}
