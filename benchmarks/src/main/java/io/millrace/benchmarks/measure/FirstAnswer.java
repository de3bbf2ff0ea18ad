package io.millrace.benchmarks.measure;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Asks an address for ApiVersions, from the moment its server was spawned, until an answer comes. */
public final class FirstAnswer {
    private static final int API_VERSIONS = 18;
    private static final int NO_CLIENT_ID = -1;
    private static final int HEADER_BYTES = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int TIMEOUT_MS = 1000;

    private FirstAnswer() {}

    /** Nanoseconds from the given moment to the first answer. */
    public static long await(String address, long spawnedNanos) throws InterruptedException {
        String[] parts = address.split(":");
        InetSocketAddress at = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
        while (System.nanoTime() - spawnedNanos < PATIENCE.toNanos()) {
            if (answers(at)) {
                return System.nanoTime() - spawnedNanos;
            }
            Thread.sleep(5);
        }
        throw new IllegalStateException("%s does not answer within %s".formatted(address, PATIENCE));
    }

    private static boolean answers(InetSocketAddress at) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(at, TIMEOUT_MS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(HEADER_BYTES);
            out.writeShort(API_VERSIONS);
            out.writeShort(0);
            out.writeInt(0);
            out.writeShort(NO_CLIENT_ID);
            out.flush();
            return new DataInputStream(socket.getInputStream()).readInt() > 0;
        } catch (IOException e) {
            return false;
        }
    }
}
