import type { Clock } from '../../runtime.ts';
import type { TermCounts } from '../term-weights.ts';
import { bodyOf, type ClusterClient, clusterUnavailable } from './cluster-client.ts';
import type { Generation } from './generation.ts';
import { impactDelimiter } from './mapping.ts';

/** Page counts and document frequencies of a generation, as `termWeights` needs them. */
export interface TermStatistics {
  /**
   * The counts that `read` asks for. It is called twice: first to learn its terms, then with their counts. Counts are
   * kept for a while, so that pages of results do not shift against each other.
   */
  of<Result>(generation: Generation, read: (counts: TermCounts) => Result): Promise<Result>;
  /** Forgets what is kept. */
  clear(): void;
}

/** With more shards, this many are asked: pages are spread by a hash, so they are a fair sample. */
const maxAskedShards = 8;
/** How long counts are kept. In a small index they change faster, and cost less. */
const keptMs = 5 * 60_000;
const keptMsIfSmall = 5000;
const smallIndex = 100_000;
/** Beyond this, all are forgotten. */
const maxKeptTerms = 50_000;

interface TermVector {
  readonly error?: unknown;
  readonly term_vectors?: {
    readonly terms?: {
      readonly field_statistics?: { readonly doc_count?: number };
      readonly terms?: Readonly<Record<string, { readonly doc_freq?: number }>>;
    };
  };
}

interface Counts {
  readonly generation: string;
  readonly pages: number;
  readonly expiresAt: number;
  readonly frequencies: Map<string, number>;
}

export function createTermStatistics(client: ClusterClient, now: Clock): TermStatistics {
  const routings = new Map<string, Promise<readonly string[]>>();
  let kept: Counts | undefined;

  /** A routing value for each shard that is asked. It is found once for a generation. */
  const routingsOf = (generation: Generation): Promise<readonly string[]> => {
    const known = routings.get(generation.name);
    if (known) return known;
    const found = findRoutings(client, generation);
    routings.clear();
    routings.set(generation.name, found);
    found.catch(() => routings.delete(generation.name));
    return found;
  };

  const ask = async (generation: Generation, terms: readonly string[]) => {
    const values = await routingsOf(generation);
    const text = terms.map((term) => `${term}${impactDelimiter}1`);
    const docs = values.map((routing) => ({
      _index: generation.name,
      routing,
      doc: { terms: text.join(' ') },
      fields: ['terms'],
      term_statistics: true,
      field_statistics: true,
      positions: false,
      offsets: false,
      payloads: false,
    }));
    const reply = await client.send({ method: 'POST', path: '/_mtermvectors', body: { docs } });
    const vectors = bodyOf<{ readonly docs: readonly TermVector[] }>(reply, 'counting terms').docs;
    if (vectors.some(({ error }) => error !== undefined))
      throw clusterUnavailable('some of the pages cannot be counted');
    return sumOf(vectors, terms, generation.shards / values.length);
  };

  return {
    of: async (generation, read) => {
      // No page has a term with the delimiter. Without any other term, nothing can be asked, not even the number of pages.
      const terms = termsRead(read).filter((term) => !term.includes(impactDelimiter));
      if (terms.length === 0) return read({ pages: 0, documentFrequency: () => 0 });
      const isKept =
        kept?.generation === generation.name &&
        kept.expiresAt > now() &&
        kept.frequencies.size < maxKeptTerms;
      const counts = isKept ? (kept as Counts) : undefined;
      const missing = counts ? terms.filter((term) => !counts.frequencies.has(term)) : terms;
      if (counts && missing.length === 0) return read(termCounts(counts));
      const { pages, frequencies } = await ask(generation, missing);
      if (counts) {
        for (const [term, frequency] of frequencies) counts.frequencies.set(term, frequency);
        return read(termCounts(counts));
      }
      const ttlMs = pages < smallIndex ? keptMsIfSmall : keptMs;
      kept = { generation: generation.name, pages, frequencies, expiresAt: now() + ttlMs };
      return read(termCounts(kept));
    },
    clear: () => {
      kept = undefined;
    },
  };
}

/** The terms whose counts are asked for. */
function termsRead(read: (counts: TermCounts) => unknown): string[] {
  const terms = new Set<string>();
  const documentFrequency = (term: string): number => {
    terms.add(term);
    return 1;
  };
  read({ pages: 1, documentFrequency });
  return [...terms];
}

function termCounts({ pages, frequencies }: Counts): TermCounts {
  // A frequency may be newer than the number of pages, and must not exceed it.
  return { pages, documentFrequency: (term) => Math.min(pages, frequencies.get(term) ?? 0) };
}

/** Pages that were replaced or removed count until they are merged away, as in a packed segment. */
function sumOf(vectors: readonly TermVector[], terms: readonly string[], factor: number) {
  const sum = (of: (vector: NonNullable<TermVector['term_vectors']>) => number | undefined): number => {
    const total = vectors.reduce((all, { term_vectors = {} }) => all + Math.max(0, of(term_vectors) ?? 0), 0);
    return Math.round(total * factor);
  };
  const pages = sum((vector) => vector.terms?.field_statistics?.doc_count);
  const frequencies = new Map(
    terms.map((term) => [term, sum((vector) => vector.terms?.terms?.[term]?.doc_freq)]),
  );
  return { pages, frequencies };
}

async function findRoutings(client: ClusterClient, { name, shards }: Generation): Promise<readonly string[]> {
  const wanted = Math.min(shards, maxAskedShards);
  const byShard = new Map<number, string>();
  for (let value = 0; byShard.size < wanted; value++) {
    const routing = `${value}`;
    const reply = await client.send({ method: 'GET', path: `/${name}/_search_shards`, query: { routing } });
    const found = bodyOf<{ readonly shards: readonly (readonly { readonly shard: number }[])[] }>(
      reply,
      'finding shards',
    );
    const shard = found.shards[0]?.[0]?.shard;
    if (shard === undefined) throw clusterUnavailable('a shard has no copy');
    if (!byShard.has(shard)) byShard.set(shard, routing);
  }
  return [...byShard.values()];
}
