/**
 * What can be set for a broker and a topic: name, kind, allowed range, default and one sentence each. Where a setting
 * means the same as in Apache Kafka it carries Kafka's name.
 *
 * <p>Values only; imports nothing of the broker.
 */
package io.millrace.broker.settings;
