/**
 * The seams on a real machine: the system clock, threads fed by Disruptor rings, files, Netty sockets.
 *
 * <p>The only package that imports Netty's transport, the Disruptor and the system clock. Connections are owned by
 * their Netty I/O thread, a ring's messages by its loop thread.
 */
package io.millrace.kernel.real;
