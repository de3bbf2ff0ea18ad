package io.millrace.broker.quorum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands before a port of this machine, and can have the connections of the moment go silent, as they do for a while after
 * a cut network is whole again; new ones work.
 */
final class StallingRelay implements AutoCloseable {
    private static final int BUFFER_BYTES = 8192;

    private final ServerSocket entrance;
    private final List<Pipe> pipes = new CopyOnWriteArrayList<>();
    private volatile int target;

    StallingRelay() {
        try {
            entrance = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(this::accept);
    }

    int port() {
        return entrance.getLocalPort();
    }

    void to(int port) {
        target = port;
    }

    void stall() {
        pipes.forEach(pipe -> pipe.stalled = true);
    }

    private void accept() throws IOException {
        while (!entrance.isClosed()) {
            Socket in = entrance.accept();
            try {
                Socket out = new Socket(InetAddress.getLoopbackAddress(), target);
                pipe(in, out);
                pipe(out, in);
            } catch (IOException e) {
                in.close(); // nobody listens behind it
            }
        }
    }

    private void pipe(Socket from, Socket to) {
        Pipe pipe = new Pipe(from, to);
        pipes.add(pipe);
        run(pipe::pump);
    }

    private static void run(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (SocketException e) {
                // closed by either side
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            entrance.close();
            for (Pipe pipe : pipes) {
                pipe.from.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static final class Pipe {
        private final Socket from;
        private final Socket to;
        private volatile boolean stalled;

        Pipe(Socket from, Socket to) {
            this.from = from;
            this.to = to;
        }

        void pump() throws IOException {
            byte[] buffer = new byte[BUFFER_BYTES];
            try (from;
                    to) {
                for (int read = from.getInputStream().read(buffer);
                        read >= 0;
                        read = from.getInputStream().read(buffer)) {
                    if (!stalled) {
                        to.getOutputStream().write(buffer, 0, read);
                    }
                }
            }
        }
    }
}
