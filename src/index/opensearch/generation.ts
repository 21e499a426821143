import { z } from 'zod';
import type { HostPart } from '../../store/host/host-part.ts';
import { bodyOf, type ClusterClient, clusterUnavailable } from './cluster-client.ts';
import { clusterFormat, GenerationMeta } from './mapping.ts';

/** One index of pages. A new one is built beside it where terms, averages or the log behind it are others. */
export interface Generation {
  /** The name of the index. Pages are written under it, never under an alias. */
  readonly name: string;
  readonly shards: number;
  readonly meta: GenerationMeta;
}

/** The names of everything that a service has in a cluster. */
export interface ClusterNames {
  /** The alias of the generation that answers. */
  readonly pages: string;
  /** The alias of the generation that is being built. */
  readonly next: string;
  /** The index of the checkpoints. */
  readonly state: string;
  /** The index of the URLs that one machine hands over to another. */
  readonly links: string;
  /** The name of a generation by its number. */
  generation(number: number): string;
  /** All generations. */
  readonly generations: string;
  /** The checkpoint of a generation: how far it has the change log of this machine. */
  checkpoint(generation: string): string;
  /** Those of the other machines that crawl. */
  checkpointsOfOthers(generation: string): readonly string[];
  /** Whether other machines fill the same index. */
  readonly isShared: boolean;
}

/** `part`: the hosts of this machine, where several crawl into one cluster. */
export function clusterNames(prefix: string, part?: HostPart): ClusterNames {
  const generation = (number: number): string => `${prefix}pages-g${number}`;
  const checkpointOf = (number: number, name: string): string =>
    part ? `${name}-part-${number}-of-${part.of}` : name;
  return {
    pages: `${prefix}pages`,
    next: `${prefix}pages-next`,
    state: `${prefix}state`,
    links: `${prefix}links`,
    generation,
    generations: `${prefix}pages-g*`,
    checkpoint: (name) => checkpointOf(part?.number ?? 1, name),
    checkpointsOfOthers: (name) =>
      Array.from({ length: part?.of ?? 1 }, (_, index) => index + 1)
        .filter((number) => number !== (part?.number ?? 1))
        .map((number) => checkpointOf(number, name)),
    isShared: (part?.of ?? 1) > 1,
  };
}

const IndexBody = z.object({
  mappings: z.object({ _meta: z.unknown() }),
  settings: z.object({ index: z.object({ number_of_shards: z.coerce.number().int().min(1) }) }),
});

/** The generation that an alias points to; undefined if there is none. Throws `unavailable` for one of another format. */
export async function readGeneration(client: ClusterClient, alias: string): Promise<Generation | undefined> {
  const reply = await client.send({ method: 'GET', path: `/${alias}` });
  if (reply.kind === 'answer' && reply.status === 404) return undefined;
  const [entry, ...others] = Object.entries(bodyOf<Record<string, unknown>>(reply, `the index ${alias}`));
  if (!entry) return undefined;
  const [name, body] = entry;
  if (others.length > 0) throw clusterUnavailable(`the alias ${alias} points to several indexes`);
  const read = IndexBody.safeParse(body);
  const meta = GenerationMeta.safeParse(read.data?.mappings._meta);
  if (!read.success || !meta.success || meta.data.format !== clusterFormat)
    throw clusterUnavailable(
      `the index ${name} is of another format: run "gleaner index build" with this version`,
    );
  return { name, shards: read.data.settings.index.number_of_shards, meta: meta.data };
}
