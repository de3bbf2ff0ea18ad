/** Jobs to run and to read. Each class with a main method is a fat JAR of its own. */
package io.millrace.examples;
