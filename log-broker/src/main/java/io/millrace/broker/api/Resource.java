package io.millrace.broker.api;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.Setting;
import io.millrace.broker.settings.SettingTable;
import io.millrace.broker.settings.TopicSettings;

/** A kind of thing that has settings, as the protocol numbers it. */
enum Resource {
    TOPIC(2),
    BROKER(4);

    private final byte code;

    Resource(int code) {
        this.code = (byte) code;
    }

    /** Null for a kind whose settings are not kept here. */
    static Resource of(byte code) {
        for (Resource resource : values()) {
            if (resource.code == code) {
                return resource;
            }
        }
        return null;
    }

    byte code() {
        return code;
    }

    SettingTable table() {
        return this == TOPIC ? TopicSettings.TABLE : BrokerSettings.TABLE;
    }

    /** Whether a name stands for the defaults of all brokers. */
    boolean isDefaults(String name) {
        return this == BROKER && name.isEmpty();
    }

    /** Why a name is not a broker that this one can speak for; null when it is. */
    String brokerRefusal(String name, int nodeId) {
        boolean ours = name.isEmpty() || name.equals(String.valueOf(nodeId));
        return ours ? null : "broker '" + name + "'; this is broker " + nodeId + ", ask broker '" + name + "' itself";
    }

    /** The protocol's number for what a value looks like. */
    static byte type(Setting.Kind kind) {
        return switch (kind) {
            case BOOLEAN -> 1;
            case WORD -> 2;
            case INT -> 3;
            case LONG -> 5;
            case DOUBLE -> 6;
            case LIST, REPLICAS -> 7;
        };
    }
}
