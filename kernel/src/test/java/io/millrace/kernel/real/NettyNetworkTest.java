package io.millrace.kernel.real;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.kernel.Connection;
import io.millrace.kernel.Network;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Over real sockets, with one I/O thread for all of them. */
class NettyNetworkTest {
    private final RealHost host = new RealHost(1);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final Network.Listener listener = host.host().network().listen("127.0.0.1", 0, 1_000, Recorder::new);

    @AfterEach
    void close() {
        listener.close();
        host.close();
    }

    private DataOutputStream connect() throws IOException {
        return new DataOutputStream(new Socket("127.0.0.1", listener.port()).getOutputStream());
    }

    private static void send(DataOutputStream client, String frame) throws IOException {
        byte[] bytes = frame.getBytes(UTF_8);
        client.writeInt(bytes.length);
        client.write(bytes);
        client.flush();
    }

    @Test
    void a_connection_is_not_read_while_nobody_wants_its_frames() throws IOException {
        listener.accept();
        try (DataOutputStream stopped = connect();
                DataOutputStream other = connect()) {
            send(stopped, "stop");
            await().until(() -> heard.contains("stop"));

            send(stopped, "more");
            send(other, "behind it");
            await().until(() -> heard.contains("behind it"));
            assertThat(heard).containsExactly("stop", "behind it");

            Connection resumed = connections.get(0);
            resumed.execute(() -> resumed.reading(true));
            await().until(() -> heard.contains("more"));
        }
    }

    @Test
    void who_asks_hears_answers_although_his_questions_are_not_taken() throws IOException {
        try (ServerSocket busy = new ServerSocket(0)) {
            host.host().network().connect("127.0.0.1", busy.getLocalPort(), 1_000, Recorder::new);
            try (Socket accepted = busy.accept()) {
                await().until(() -> !connections.isEmpty());
                connections.get(0).send(List.of(new Connection.Memory(Unpooled.wrappedBuffer(new byte[64 << 20]))));
                await().until(() -> accepted.getInputStream().available() > 0);

                send(new DataOutputStream(accepted.getOutputStream()), "answer");

                await().until(() -> heard.contains("answer"));
            }
        }
    }

    private final class Recorder implements Connection.Handler {
        private final Connection connection;

        Recorder(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void established() {
            connections.add(connection);
        }

        @Override
        public void frame(ByteBuf frame) {
            String text = frame.toString(UTF_8);
            frame.release();
            heard.add(text);
            if (text.equals("stop")) {
                connection.reading(false);
            }
        }

        @Override
        public void refused(String why) {
            heard.add(why);
        }

        @Override
        public void closed() {}
    }
}
