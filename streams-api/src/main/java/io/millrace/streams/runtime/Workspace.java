package io.millrace.streams.runtime;

import io.millrace.streams.plan.Plan;
import io.millrace.streams.state.StateMemory;
import org.apache.kafka.clients.admin.Admin;

/** What all workers of a running job share. Nothing in it changes, apart from the counters. */
record Workspace(
        Plan plan,
        JobSettings settings,
        Clients clients,
        Admin admin,
        TopicCatalog topics,
        StateDirectory stateDir,
        StateMemory memory,
        JobCounters counters) {}
