/**
 * Millrace, Apache Kafka and PostgreSQL as processes of their own, for acceptance tests and benchmarks: started, stopped,
 * killed and started again on the same folder. Owns no state but the processes; knows nothing of what is tested with them.
 */
package io.millrace.testbed;
