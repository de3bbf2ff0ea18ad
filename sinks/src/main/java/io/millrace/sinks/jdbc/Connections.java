package io.millrace.sinks.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** How a connection is opened: by the driver manager, or the way the user wants it (a pool, short-lived passwords). */
@FunctionalInterface
public interface Connections {
    /** A connection of its own for the caller, who closes it. The defaults are timeouts in the driver's own words. */
    Connection open(Properties defaults) throws SQLException;
}
