package io.millrace.streams.runtime;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** On SIGTERM or Ctrl-C closes things in the order given, before the process ends. They must bear being closed twice. */
public final class SignalHook implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SignalHook.class);

    private final Thread hook;

    private SignalHook(Thread hook) {
        this.hook = hook;
    }

    public static SignalHook closing(List<? extends AutoCloseable> inOrder) {
        Thread hook = new Thread(() -> inOrder.forEach(SignalHook::close), "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        return new SignalHook(hook);
    }

    private static void close(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception e) { // the others have to be closed all the same
            LOG.warn("{} was not closed cleanly", thing, e);
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the signal has come; the hook is at work");
        }
    }
}
