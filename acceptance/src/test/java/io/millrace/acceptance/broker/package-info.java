/** Tests of the broker from outside: its own process, Kafka's own clients and tools, and death at any moment. */
package io.millrace.acceptance.broker;
