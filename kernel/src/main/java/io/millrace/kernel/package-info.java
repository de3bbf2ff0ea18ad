/**
 * The outside world as six seams ({@link io.millrace.kernel.Clock}, {@link io.millrace.kernel.Timers},
 * {@link io.millrace.kernel.Network}, {@link io.millrace.kernel.Disk}, {@link io.millrace.kernel.Loop},
 * {@link io.millrace.kernel.Entropy}), gathered in one {@link io.millrace.kernel.Host}, and the shape that every
 * coordinator shares: the event-sourced {@link io.millrace.kernel.Machine}.
 *
 * <p>Only interfaces and values live here, so nothing has an owner. The package must import neither
 * {@code kernel.real} nor {@code kernel.sim}, and no transport: both implementations stand beside each other, and
 * whoever assembles a node chooses one.
 */
package io.millrace.kernel;
