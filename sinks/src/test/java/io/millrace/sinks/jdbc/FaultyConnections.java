package io.millrace.sinks.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Consumer;

/** Connections with a place to put faults: before a statement is prepared, and after a commit has succeeded. */
final class FaultyConnections implements Connections {
    private final JdbcDatabase real;
    private Consumer<String> beforePrepare = sql -> {};
    private Fault afterCommit = () -> {};

    interface Fault {
        void strike() throws SQLException;
    }

    FaultyConnections(JdbcDatabase real) {
        this.real = real;
    }

    void beforePrepare(Consumer<String> action) {
        beforePrepare = action;
    }

    void afterCommit(Fault fault) {
        afterCommit = fault;
    }

    @Override
    public Connection open(Properties defaults) throws SQLException {
        Connection connection = real.connections().open(defaults);
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        beforePrepare.accept((String) arguments[0]);
                    }
                    Object result;
                    try {
                        result = method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().equals("commit")) {
                        afterCommit.strike();
                    }
                    return result;
                });
    }
}
