package io.millrace.kernel.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is sent over one connection arrives in its order, whatever happens to the wire and to who listens. */
class SimStreamTest {
    private static final int PORT = 1;

    private final SimWorld world = new SimWorld(1);
    private final SimMachine listening = world.machine("b", new SimDisk());
    private final List<String> heard = new ArrayList<>();
    private Connection connection;

    SimStreamTest() {
        listening
                .boot()
                .network()
                .listen("b", PORT, 1_000, accepted -> new Hearing())
                .accept();
        world.machine("a", new SimDisk()).boot().network().connect("b", PORT, 1_000, opened -> {
            connection = opened;
            return new Hearing();
        });
        world.runFor(100);
    }

    private void send(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        ByteBuffer frame =
                ByteBuffer.allocate(4 + bytes.length).putInt(bytes.length).put(bytes);
        connection.send(List.of(new Connection.Memory(Unpooled.wrappedBuffer(frame.flip()))));
        world.runFor(100);
    }

    @Test
    void what_a_cut_held_up_arrives_before_what_was_sent_later_although_the_listener_slept() {
        world.network().cut("a", "b");
        send("1");
        listening.pause();
        send("2");
        world.network().healAll();
        send("3");

        listening.resume();
        world.runFor(100);

        assertThat(heard).containsExactly("1", "2", "3");
    }

    private final class Hearing implements Connection.Handler {
        @Override
        public void frame(ByteBuf frame) {
            heard.add(frame.toString(UTF_8));
            frame.release();
        }

        @Override
        public void refused(String why) {
            heard.add(why);
        }

        @Override
        public void closed() {
            heard.add("closed");
        }
    }
}
