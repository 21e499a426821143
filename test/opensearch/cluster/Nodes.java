import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.plugins.Plugin;

/**
 * Starts OpenSearch nodes in this JVM, and ends when its standard input does.
 * Arguments: folder, name of the cluster, "name:httpPort:transportPort" of every node of the cluster with commas between,
 * the names of those to start here with commas between.
 */
public class Nodes {
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        String[] all = arguments[2].split(",");
        List<String> here = List.of(arguments[3].split(","));
        List<String> names = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        for (String node : all) {
            names.add(node.split(":")[0]);
            addresses.add("127.0.0.1:" + node.split(":")[2]);
        }
        for (String node : all) {
            String[] parts = node.split(":");
            if (here.contains(parts[0])) start(folder.resolve(parts[0]), arguments[1], parts, names, addresses);
        }
        System.out.println("started");
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }

    private static void start(Path home, String cluster, String[] node, List<String> names, List<String> addresses)
            throws Exception {
        Path config = Files.createDirectories(home.resolve("config"));
        Settings.Builder settings = Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", home.resolve("data").toString())
            .put("node.name", node[0])
            .put("cluster.name", cluster)
            .put("network.host", "127.0.0.1")
            .put("http.port", node[1])
            .put("transport.port", node[2])
            .put("action.auto_create_index", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false);
        for (String setting : System.getProperty("gleaner.settings", "").split(",")) {
            if (!setting.isEmpty()) settings.put(setting.split("=")[0], setting.split("=")[1]);
        }
        if (names.size() == 1) settings.put("discovery.type", "single-node");
        else {
            settings.putList("discovery.seed_hosts", addresses);
            settings.putList("cluster.initial_cluster_manager_nodes", names);
        }
        new OpenSearchRunnerNode(new Environment(settings.build(), config), plugins()).start();
    }

    /** Version 2 has the same plugins without "Module" in their names. */
    @SuppressWarnings("unchecked")
    private static List<Class<? extends Plugin>> plugins() throws ClassNotFoundException {
        List<Class<? extends Plugin>> plugins = new ArrayList<>();
        for (String name : List.of(
            "transport.Netty4", "analysis.common.CommonAnalysis", "index.mapper.MapperExtras",
            "index.reindex.Reindex", "painless.Painless")) {
            Class<?> plugin;
            try {
                plugin = Class.forName("org.opensearch." + name + "ModulePlugin");
            } catch (ClassNotFoundException older) {
                plugin = Class.forName("org.opensearch." + name + "Plugin");
            }
            plugins.add((Class<? extends Plugin>) plugin);
        }
        return plugins;
    }
}
