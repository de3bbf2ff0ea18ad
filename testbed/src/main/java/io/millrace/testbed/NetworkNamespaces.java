package io.millrace.testbed;

import java.util.ArrayList;
import java.util.List;

/**
 * A network of its own for each node, all on one bridge with this process, so that single ways can be cut: what is sent
 * along them goes nowhere and nobody is told, as when a cable is pulled. Linux, and root.
 *
 * <p>A way is cut by giving its end a hardware address that nobody has; that needs no filter in the kernel.
 */
public final class NetworkNamespaces implements Addresses, AutoCloseable {
    /** Where clients are. */
    public static final int HERE = 0;

    private static final int HERE_ADDRESS = 254;
    private static final String NOBODY = "02:00:00:00:00:fe";

    private final String tag = Long.toString(ProcessHandle.current().pid() % 1_000_000, 36);
    private final String bridge = "mr" + tag;
    private final String subnet;
    private final int count;
    private final List<List<Integer>> cuts = new ArrayList<>();
    private boolean closed;

    private NetworkNamespaces(int count) {
        long pid = ProcessHandle.current().pid();
        this.subnet = "10.%d.%d".formatted(200 + pid / 250 % 50, pid % 250);
        this.count = count;
    }

    /** Why there can be none here; empty if they can be made. */
    public static String obstacle() {
        if (!RootCommand.isAllowed()) {
            return "only root can make network namespaces";
        }
        try (NetworkNamespaces trial = create(1)) {
            trial.cut(HERE, 1);
            return "";
        } catch (RuntimeException e) { // whatever the system lacks, the message says it
            return e.getMessage();
        }
    }

    /** For the nodes 1 to {@code count}. */
    public static NetworkNamespaces create(int count) {
        NetworkNamespaces networks = new NetworkNamespaces(count);
        Runtime.getRuntime().addShutdownHook(new Thread(networks::close));
        try {
            networks.make();
        } catch (RuntimeException e) {
            networks.close();
            throw e;
        }
        return networks;
    }

    private void make() {
        RootCommand.run("ip link add %s type bridge".formatted(bridge));
        RootCommand.run("ip addr add %s/24 dev %s".formatted(host(HERE), bridge));
        RootCommand.run("ip link set %s up".formatted(bridge));
        for (int node = 1; node <= count; node++) {
            String space = space(node);
            RootCommand.run("ip netns add " + space);
            RootCommand.run("ip link add %s type veth peer name eth0 netns %s".formatted(space, space));
            RootCommand.run("ip link set %s master %s up".formatted(space, bridge));
            RootCommand.run("ip -n %s addr add %s/24 dev eth0".formatted(space, host(node)));
            RootCommand.run("ip -n %s link set eth0 up".formatted(space));
            RootCommand.run("ip -n %s link set lo up".formatted(space));
        }
    }

    private String space(int node) {
        return bridge + "-" + node;
    }

    @Override
    public String host(int node) {
        return subnet + "." + (node == HERE ? HERE_ADDRESS : node);
    }

    @Override
    public List<String> startedBy(int node) {
        return List.of("ip", "netns", "exec", space(node));
    }

    /** From now on what one sends to the other is lost; not what the other sends. */
    public void cut(int from, int to) {
        RootCommand.run("ip %sneigh replace %s lladdr %s nud permanent dev %s"
                .formatted(in(from), host(to), NOBODY, device(from)));
        cuts.add(List.of(from, to));
    }

    /** All ways are whole again. */
    public void heal() {
        cuts.forEach(cut -> RootCommand.run(
                "ip %sneigh del %s dev %s".formatted(in(cut.get(0)), host(cut.get(1)), device(cut.get(0)))));
        cuts.clear();
    }

    private String in(int node) {
        return node == HERE ? "" : "-n " + space(node) + " ";
    }

    private String device(int node) {
        return node == HERE ? bridge : "eth0";
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (int node = 1; node <= count; node++) {
            quietly("ip link del " + space(node));
            quietly("ip netns del " + space(node));
        }
        quietly("ip link del " + bridge);
    }

    private static void quietly(String command) {
        try {
            RootCommand.run(command);
        } catch (IllegalStateException e) {
            System.err.println("left behind: " + e.getMessage());
        }
    }
}
