import type { ClusterConfig } from '../config/cluster-settings.ts';
import { canonicalUrl } from '../crawl/url/canonical-url.ts';
import { clusterNames } from '../index/opensearch/generation.ts';
import { createHandOver, type HandedUrl } from '../index/opensearch/hand-over.ts';
import type { Clock, Log } from '../runtime.ts';
import { isOfPart } from '../store/host/host-part.ts';
import { clientOf } from './cluster-back-end.ts';
import { createGivePages, takePages } from './hand-over.ts';

/** What a machine that crawls some of the hosts has to do with the others. */
export interface Division {
  /** Whether a URL is of a host of this machine. */
  isOwn(url: string): boolean;
  /** Hands sites over to the machines of their hosts. Rejects with `unavailable` while the cluster is away. */
  giveSites(urls: readonly string[]): Promise<void>;
  /** Hands a page or a site over in the background; `close` waits for it. */
  givePages(urls: readonly string[]): void;
  giveSite(url: string): void;
  /** The sites that others have handed over to this machine. They stay until they are taken out. */
  sites(): Promise<HandedUrl[]>;
  takeSites(sites: readonly HandedUrl[]): Promise<void>;
  /** Takes out pages that others have handed over to this machine. */
  takePages(): Promise<string[]>;
  close(): Promise<void>;
}

interface DivisionParts {
  readonly cluster: ClusterConfig;
  readonly log: Log;
  readonly now: Clock;
}

/** Sites that one crawl takes over at most. */
const maxSites = 100;

export function openDivision({ cluster, log, now }: DivisionParts): Division {
  const { part } = cluster;
  const client = clientOf(cluster);
  const handOver = createHandOver(client, clusterNames(cluster.prefix, part), now);
  const pages = createGivePages({ handOver, log, now });
  const giving = new Set<Promise<void>>();
  const inBackground = (work: Promise<void>): void => {
    const settled = work.finally(() => giving.delete(settled));
    giving.add(settled);
  };
  const giveSites = (urls: readonly string[]) =>
    handOver.give(
      'site',
      urls.flatMap((url) => canonicalUrl(url) ?? []),
    );
  return {
    isOwn: (url) => isOfPart(url, part),
    giveSites,
    givePages: (urls) => inBackground(pages(urls)),
    giveSite: (url) =>
      inBackground(
        giveSites([url]).catch((error: unknown) =>
          log.warn(
            { url, why: (error as Error).message },
            'a site of another machine could not be handed over',
          ),
        ),
      ),
    sites: () => handOver.look(part, ['site'], maxSites),
    takeSites: async (sites) => {
      await handOver.take(sites);
    },
    takePages: () => takePages(handOver, part),
    close: async () => {
      await Promise.all(giving);
      await client.close();
    },
  };
}
