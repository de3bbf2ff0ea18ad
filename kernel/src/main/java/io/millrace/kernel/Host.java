package io.millrace.kernel;

/** All that the code may know of the world outside; handed in through constructors and reachable no other way. */
public record Host(Clock clock, Timers timers, Loops loops, Network network, Disk disk, Entropy entropy) {}
