/**
 * Request handling: one class a family of requests, which splits a request by partition or coordinator, gathers the
 * answers, and words the response.
 *
 * <p>Handlers run on the I/O thread of the connection and keep nothing; what a connection needs to remember (a fetch
 * session) is kept with the connection. Must not import the log's internals or touch a partition but through messages
 * and read views.
 */
package io.millrace.broker.api;
