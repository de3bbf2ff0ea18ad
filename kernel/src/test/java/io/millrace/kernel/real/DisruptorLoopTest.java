package io.millrace.kernel.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.kernel.Loop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
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
            awaitUninterruptibly(hold);
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

    @Test
    void an_idle_loop_handles_what_is_handed_over_on_the_callers_thread() {
        List<String> seen = new ArrayList<>();
        Loop<String> loop = DisruptorLoop.start("test", 8, named(seen));

        boolean taken = loop.handOver("one");

        assertThat(taken).isTrue();
        assertThat(seen).containsExactly("one by " + Thread.currentThread().getName());
        loop.close();
    }

    @Test
    void what_is_handed_over_does_not_overtake_what_its_sender_has_submitted() throws Exception {
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch hold = new CountDownLatch(1);
        Loop<Integer> loop = DisruptorLoop.start("test", 4, message -> {
            if (message == 0) {
                awaitUninterruptibly(hold);
            }
            seen.add(message);
        });

        loop.submit(0);
        IntStream.range(1, 10).forEach(loop::submit);
        loop.handOver(10);
        hold.countDown();
        await().until(() -> seen.size() == 11);
        for (int i = 11; i < 10_000; i += 2) {
            loop.submit(i);
            loop.handOver(i + 1);
        }
        loop.close();

        assertThat(seen).isSorted().hasSize(10_001);
    }

    @Test
    void one_message_is_handled_at_a_time_whoever_hands_it_over() throws Exception {
        int[] counted = new int[1]; // not atomic: two at a time would lose counts
        Loop<Integer> loop = DisruptorLoop.start("test", 64, message -> counted[0]++);
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(sender -> new Thread(() -> IntStream.range(0, 50_000).forEach(i -> {
                    if (i % 3 == 0) {
                        loop.submit(i);
                    } else {
                        loop.handOver(i);
                    }
                })))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        loop.close();

        assertThat(counted[0]).isEqualTo(200_000);
    }

    @Test
    void a_handler_that_hands_over_to_its_own_loop_is_not_run_within_itself() {
        List<String> seen = new ArrayList<>();
        AtomicReference<Loop<String>> loop = new AtomicReference<>();
        loop.set(DisruptorLoop.start("test", 8, message -> {
            if (message.equals("outer")) {
                loop.get().handOver("inner");
            }
            seen.add(message + " is done");
        }));

        loop.get().handOver("outer");
        loop.get().close();

        assertThat(seen).containsExactly("outer is done", "inner is done");
    }

    @Test
    void a_closed_loop_handles_nothing_more() {
        List<String> seen = new ArrayList<>();
        Loop<String> loop = DisruptorLoop.start("test", 8, named(seen));
        loop.close();

        loop.handOver("late");

        assertThat(seen).isEmpty();
    }

    private static Loop.Handler<String> named(List<String> seen) {
        return message -> seen.add(message + " by " + Thread.currentThread().getName());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
