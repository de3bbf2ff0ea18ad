/**
 * A connection as a state machine: frames come in, requests are handed to their handler, answers leave in the order of
 * the requests, and a connection with too much unanswered is not read any further.
 *
 * <p>Each connection is owned by its I/O thread. Must not import logs, partitions or coordinators.
 */
package io.millrace.broker.server;
