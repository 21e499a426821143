import { clientOf, openFeed } from '../../app/cluster-back-end.ts';
import type { ClusterConfig } from '../../config/cluster-settings.ts';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ClusterClient } from '../../index/opensearch/cluster-client.ts';
import {
  type ClusterReport,
  clusterReport,
  type GenerationReport,
  verifyCluster,
} from '../../index/opensearch/cluster-report.ts';
import { createGeneration, swapGenerations } from '../../index/opensearch/feed/build-generation.ts';
import { othersHave, readCheckpoint } from '../../index/opensearch/feed/checkpoint.ts';
import {
  type ClusterNames,
  clusterNames,
  type Generation,
  readGeneration,
} from '../../index/opensearch/generation.ts';
import type { PageStore } from '../../store/page-store.ts';
import { commandName } from '../arguments/command-name.ts';
import { openFilledStore } from '../data-folder.ts';
import { createLog } from '../output/log.ts';
import { printableJson, printableLine } from '../output/printable.ts';
import { sayOnStderr } from '../output/say.ts';

export interface IndexFlags {
  readonly json?: true;
}

interface IndexParts {
  readonly store: PageStore;
  readonly client: ClusterClient;
  readonly cluster: ClusterConfig;
  readonly names: ClusterNames;
}

/** Failed and missing pages that are printed; --json has all. */
const maxPrintedPages = 20;
/** How often a command looks how far a generation is. */
const progressEveryMs = 2000;

/** `gleaner index status`: what of the data folder is in the cluster. */
export async function indexStatus(config: Config, { json }: IndexFlags): Promise<void> {
  await withCluster(config, async (parts) => {
    const report = await clusterReport(parts);
    if (json) return void process.stdout.write(`${printableJson(report, 2)}\n`);
    const { health, nodes, current, next } = report;
    process.stdout.write(`Cluster: ${printableLine(health)}, ${nodes} nodes\n`);
    process.stdout.write(current ? generationText('Answers', current) : 'Nothing has been indexed yet\n');
    if (next) process.stdout.write(generationText('Being built', next));
  });
}

/** `gleaner index verify`: every page of the store is looked for; exit status 1 if one is missing. */
export async function verifyClusterIndex(config: Config, { json }: IndexFlags): Promise<void> {
  await withCluster(config, async (parts) => {
    const findings = await verifyCluster(parts);
    const { checked, missing, extra } = findings;
    if (missing.length > 0 || extra > 0) process.exitCode = 1;
    if (json) return void process.stdout.write(`${printableJson(findings, 2)}\n`);
    const named = missing.slice(0, maxPrintedPages).map((id) => `missing: ${id}\n`);
    const more = missing.length - named.length;
    process.stdout.write(
      [
        `Checked ${checked} pages: ${missing.length} missing, ${extra} too many\n`,
        ...named,
        more > 0 ? `and ${more} more; --json has them\n` : '',
      ].join(''),
    );
  });
}

/** `gleaner index build`: fills a new generation beside the one that answers. */
export async function buildIndex(config: Config): Promise<void> {
  await withCluster(config, async (parts) => {
    const { client, names, store, cluster } = parts;
    if (!(await readGeneration(client, names.next)))
      await createGeneration({ client, names, store, shape: cluster }, 'next', 'manual');
    const next = await filledNext(parts, config);
    sayOnStderr(`${next.name} is complete. It answers after: ${commandName()} index swap`);
  });
}

/** `gleaner index swap`: lets the generation that was built answer. */
export async function swapIndex(config: Config): Promise<void> {
  await withCluster(config, async (parts) => {
    const { client, names, store, cluster } = parts;
    for (;;) {
      const next = await filledNext(parts, config);
      const current = await readGeneration(client, names.pages);
      if (!(await othersHave(client, names, { current: current?.name, next: next.name })))
        throw new ServiceError('unavailable', `the other machines have not filled ${next.name} yet`);
      const stored = await readCheckpoint(client, names, next.name);
      const at = stored?.checkpoint ?? { seq: 0, failed: {} };
      if (await swapGenerations({ client, names, store, shape: cluster }, next, at))
        return sayOnStderr(
          `${next.name} answers now. The generation before it is kept until the next one answers.`,
        );
    }
  });
}

/** The next generation once it has every change; this process sends them if no other one does. */
async function filledNext(parts: IndexParts, config: Config): Promise<Generation> {
  const { client, names, store } = parts;
  const feed = openFeed({ ...parts, log: createLog(config), now: Date.now }, client);
  try {
    for (;;) {
      const next = await readGeneration(client, names.next);
      if (!next)
        throw new ServiceError(
          'not_found',
          `no generation is being built: "${commandName()} index build" begins one`,
        );
      const seq = (await readCheckpoint(client, names, next.name))?.checkpoint.seq ?? 0;
      if (seq >= store.lastSeq()) return next;
      const { kind, why } = feed.state();
      if (kind === 'stopped') throw new ServiceError('unavailable', `${why}`);
      sayOnStderr(`${next.name}: ${seq} of ${store.lastSeq()} changes`);
      await new Promise((resolve) => setTimeout(resolve, progressEveryMs));
    }
  } finally {
    await feed.stop();
  }
}

/** What of a store is in its cluster. */
export async function reportOf(cluster: ClusterConfig, store: PageStore): Promise<ClusterReport> {
  const client = clientOf(cluster);
  try {
    return await clusterReport({ client, names: clusterNames(cluster.prefix, cluster.part), store });
  } finally {
    await client.close();
  }
}

async function withCluster(config: Config, work: (parts: IndexParts) => Promise<void>): Promise<void> {
  const { cluster } = config;
  if (!cluster)
    throw new ServiceError(
      'invalid_parameters',
      'the index is in the data folder: GLEANER_INDEX=opensearch is needed',
    );
  const store = openFilledStore(config);
  const client = clientOf(cluster);
  try {
    await work({ store, client, cluster, names: clusterNames(cluster.prefix, cluster.part) });
  } finally {
    await client.close();
    await store.close();
  }
}

function generationText(what: string, { name, pages, lag, failed }: GenerationReport): string {
  const failures = Object.entries(failed);
  const named = failures.slice(0, maxPrintedPages).map(([id, why]) => `  ${id}: ${printableLine(why)}\n`);
  const more = failures.length - named.length;
  return [
    `${what}: ${name}, ${pages} pages, ${lag} changes behind, ${failures.length} pages failed\n`,
    ...named,
    more > 0 ? `  and ${more} more; --json has them\n` : '',
  ].join('');
}
