/** The brokers that are compared: started by the run itself, or attached to by address. Imports only {@code measure}. */
package io.millrace.benchmarks.side;
