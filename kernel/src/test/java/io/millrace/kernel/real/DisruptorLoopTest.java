package io.millrace.kernel.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.kernel.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DisruptorLoopTest {

    @Test
    void messages_of_each_sender_arrive_in_order_even_when_the_ring_overflows() throws Exception {
        List<int[]> seen = new ArrayList<>();
        Loop<int[]> loop = DisruptorLoop.start("test", 8, seen::add);

        int senders = 4;
        int each = 20_000;
        List<Thread> threads = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            int name = sender;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    loop.submit(new int[] {name, i});
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        loop.close();

        assertThat(seen).hasSize(senders * each);
        int[] next = new int[senders];
        for (int[] message : seen) {
            assertThat(message[1]).isEqualTo(next[message[0]]++);
        }
    }

    @Test
    void tells_a_sender_when_the_queue_is_over_its_capacity_and_loses_nothing() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        AtomicInteger handled = new AtomicInteger();
        Loop<Integer> loop = DisruptorLoop.start("test", 4, message -> {
            try {
                hold.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            handled.incrementAndGet();
        });

        int refused = 0;
        for (int i = 0; i < 100; i++) {
            refused += loop.submit(i) ? 0 : 1;
        }
        hold.countDown();

        assertThat(refused).isGreaterThan(90);
        await().untilAsserted(() -> assertThat(handled).hasValue(100));
        loop.close();
    }

    @Test
    void a_message_that_fails_does_not_end_the_loop() {
        List<String> seen = new ArrayList<>();
        Loop<String> loop = DisruptorLoop.start("test", 8, message -> {
            if (message.equals("bad")) {
                throw new IllegalStateException("a bad message");
            }
            seen.add(message);
        });

        loop.submit("one");
        loop.submit("bad");
        loop.submit("two");
        loop.close();

        assertThat(seen).containsExactly("one", "two");
    }
}
