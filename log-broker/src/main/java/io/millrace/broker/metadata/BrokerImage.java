package io.millrace.broker.metadata;

/** A broker as clients reach it; the rack is empty where none is known. */
public record BrokerImage(int id, String host, int port, String rack) {}
