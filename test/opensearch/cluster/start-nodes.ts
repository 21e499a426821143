import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Jars } from './jars.ts';

// The bench runs from what was built, and no Java is copied there.
const source = fileURLToPath(new URL('Nodes.java', import.meta.url)).replace('/dist/test/', '/test/');

/** A JVM for tests: started fast, with a small heap. */
const jvmOptions = ['-XX:+UseSerialGC', '-Xms256m'];
const startFast = '-XX:TieredStopAtLevel=1';

export interface ClusterUnderTest {
  readonly urls: readonly string[];
  /** Kills the process of a node at once (-9). */
  kill(node: number): Promise<void>;
  /** Starts a killed node again, with its data and its ports. */
  restart(node: number): void;
  /** Resolves once this many nodes are in the cluster and no shard waits for a copy, the first or another. */
  ready(nodes?: number): Promise<void>;
  /** The process of a node, or of all that are not apart. */
  pid(node?: number): number;
  stop(): Promise<void>;
}

export interface ClusterShape {
  readonly nodes: number;
  /** Whether every node is a process of its own, so that it can be killed. */
  readonly apart?: boolean;
  readonly heapMb?: number;
  /** More settings of every node. */
  readonly settings?: Readonly<Record<string, string>>;
  /** False for nodes that run long enough to be compiled well. */
  readonly isFast?: boolean;
  /** False for a cluster whose addresses are known and of which no node is started yet; `restart` starts them. */
  readonly started?: boolean;
}

/** Starts a cluster on free ports of loopback. Its processes end when this one does: they read from it. */
export async function startCluster(jars: Jars, shape: ClusterShape): Promise<ClusterUnderTest> {
  const {
    nodes: count,
    apart = false,
    heapMb = apart ? 384 : 512,
    started = true,
    isFast = true,
    settings = {},
  } = shape;
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-cluster-'));
  const ports = await freePorts(2 * count);
  const nodes = Array.from(
    { length: count },
    (_, node) => `n${node}:${ports[2 * node]}:${ports[2 * node + 1]}`,
  );
  const urls = Array.from({ length: count }, (_, node) => `http://127.0.0.1:${ports[2 * node]}`);
  const names = nodes.map((node) => node.split(':')[0] as string);
  const more = Object.entries(settings)
    .map((setting) => setting.join('='))
    .join(',');
  const processes: ChildProcess[] = [];
  const start = (place: number, here: readonly string[]): void => {
    const java = [
      ...jvmOptions,
      ...(isFast ? [startFast] : []),
      `-Xmx${heapMb}m`,
      `-Dgleaner.settings=${more}`,
      '-cp',
      jars.classPath,
      source,
    ];
    const program = [folder, 'gleaner-test', nodes.join(','), here.join(',')];
    processes[place] = spawn('nice', ['-n', '5', jars.java, ...java, ...program], {
      stdio: ['pipe', 'ignore', process.env.GLEANER_TEST_NODES_LOG ? 'inherit' : 'ignore'],
    });
  };
  if (apart && started)
    names.forEach((name, node) => {
      start(node, [name]);
    });
  else if (started) start(0, names);

  const end = async (child: ChildProcess | undefined): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'exit');
    child.kill('SIGKILL');
    await closed;
  };
  const cluster: ClusterUnderTest = {
    urls,
    kill: (node) => end(processes[node]),
    restart: (node) => start(node, [names[node] as string]),
    ready: (wanted = count) => waitForNodes(urls, wanted),
    pid: (node = 0) => processes[node]?.pid ?? 0,
    stop: async () => {
      await Promise.all(processes.map(end));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  if (!started) return cluster;
  try {
    await cluster.ready();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

const maxWaitMs = 240_000;

async function waitForNodes(urls: readonly string[], wanted: number): Promise<void> {
  const until = Date.now() + maxWaitMs;
  for (let attempt = 0; Date.now() < until; attempt++) {
    const url = urls[attempt % urls.length];
    const health = await fetch(`${url}/_cluster/health?timeout=5s`).then(
      (response) => response.json() as Promise<{ number_of_nodes?: number; status?: string }>,
      () => ({}) as { number_of_nodes?: number; status?: string },
    );
    if (health.number_of_nodes === wanted && health.status === 'green') return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`no cluster of ${wanted} nodes with all copies after ${maxWaitMs} ms`);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
