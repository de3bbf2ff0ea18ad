/**
 * A simple client of the protocol on a machine of its own: it finds leaders and coordinators, tries again where that is
 * right, and hides nothing. Owned by the one thread of the world; must not import brokers' machines or checkers.
 */
package io.millrace.simulator.client;
