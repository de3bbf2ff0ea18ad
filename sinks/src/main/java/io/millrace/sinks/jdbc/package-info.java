/**
 * Rows into a SQL database exactly once: they and the topic's offset are written in one transaction of that database.
 *
 * <p>A {@link io.millrace.sinks.jdbc.JdbcWriter} and its connection belong to one writer thread. May import the root and
 * sink packages of streams-api, and JDBC; must not import its runtime, nor any driver's classes.
 */
package io.millrace.sinks.jdbc;
