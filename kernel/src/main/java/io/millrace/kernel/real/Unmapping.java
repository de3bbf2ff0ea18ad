package io.millrace.kernel.real;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the mapping of a file at once. Left to the garbage collector, a deleted file would keep its space for long. Java
 * has a way of its own from version 22 on (arenas); the one here works in older and newer ones alike.
 */
final class Unmapping {
    private static final Logger LOG = LoggerFactory.getLogger(Unmapping.class);
    private static final MethodHandle CLEANER = cleaner();

    private Unmapping() {}

    private static MethodHandle cleaner() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            MethodType type = MethodType.methodType(void.class, ByteBuffer.class);
            return MethodHandles.lookup()
                    .findVirtual(unsafe, "invokeCleaner", type)
                    .bindTo(instance.get(null));
        } catch (ReflectiveOperationException e) {
            LOG.debug("mappings are left to the garbage collector", e);
            return null;
        }
    }

    /** Nobody may touch the buffer afterwards. */
    static void unmap(MappedByteBuffer mapping) {
        if (CLEANER == null) {
            return;
        }
        try {
            CLEANER.invoke((ByteBuffer) mapping);
        } catch (Throwable e) {
            LOG.debug("a mapping is left to the garbage collector", e);
        }
    }
}
