package io.millrace.broker;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.settings.InvalidSetting;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;

/** The nodes that agree on the metadata, as a setting names them. */
record Voters(List<Voter> all) {
    private static final Pattern VOTER = Pattern.compile("(\\d+)@(.+):(\\d+):(\\d+)");
    private static final Set<Integer> COUNTS = Set.of(1, 3, 5);
    private static final long NOT_REGISTERED = -1;

    /** @param port where clients connect; {@code metadataPort} is where the voters talk to each other */
    record Voter(int node, String host, int port, int metadataPort) {}

    /** @throws InvalidSetting when it cannot be read */
    static Voters parse(String setting) {
        List<Voter> voters = Arrays.stream(setting.split(","))
                .map(String::strip)
                .map(Voters::voter)
                .toList();
        long nodes = voters.stream().map(Voter::node).distinct().count();
        if (!COUNTS.contains(voters.size()) || nodes != voters.size()) {
            throw new InvalidSetting("cluster.voters names " + nodes + " different nodes: " + setting
                    + "; allowed are 1, 3 or 5, each once");
        }
        return new Voters(voters);
    }

    private static Voter voter(String word) {
        Matcher matcher = VOTER.matcher(word);
        if (!matcher.matches()) {
            throw new InvalidSetting("cluster.voters holds '" + word
                    + "'; write each voter as ID@HOST:PORT:METADATA_PORT, such as 1@broker1:9092:9192");
        }
        return new Voter(
                Integer.parseInt(matcher.group(1)),
                matcher.group(2),
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(4)));
    }

    /** Where they are found before they have registered. */
    Map<Integer, BrokerImage> addresses() {
        return all.stream()
                .map(voter -> new BrokerImage(
                        voter.node(),
                        voter.host(),
                        voter.port(),
                        "",
                        NOT_REGISTERED,
                        Uuid.ZERO_UUID,
                        BrokerImage.State.FENCED,
                        false))
                .collect(Collectors.toMap(BrokerImage::id, Function.identity()));
    }
}
