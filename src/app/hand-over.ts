import { canonicalUrl } from '../crawl/url/canonical-url.ts';
import type { HandOver } from '../index/opensearch/hand-over.ts';
import type { Clock, Log } from '../runtime.ts';
import type { HostPart } from '../store/host/host-part.ts';

interface GivePagesParts {
  readonly handOver: HandOver;
  readonly log: Log;
  readonly now: Clock;
}

/** A URL is not handed over again within this time by the same process. */
const giveAgainMs = 60 * 60 * 1000;
const maxRemembered = 5000;

/** Hands pages over to the machine that crawls their hosts. Never rejects: what cannot be handed over is logged. */
export function createGivePages({
  handOver,
  log,
  now,
}: GivePagesParts): (urls: readonly string[]) => Promise<void> {
  const given = new Map<string, number>();
  return (urls) => {
    const fresh = urls.flatMap((url) => canonicalUrl(url) ?? []).filter(isDue);
    for (const url of fresh) {
      given.delete(url);
      given.set(url, now());
    }
    for (const oldest of given.keys()) {
      if (given.size <= maxRemembered) break;
      given.delete(oldest);
    }
    return handOver.give('page', fresh).catch((error: unknown) => {
      for (const url of fresh) given.delete(url);
      log.info({ urls: fresh, why: (error as Error).message }, 'not learned: pages could not be handed over');
    });
  };

  function isDue(url: string): boolean {
    return now() - (given.get(url) ?? Number.NEGATIVE_INFINITY) > giveAgainMs;
  }
}

/** Pages that are taken at once: as many as are visited in a few seconds. */
const maxTaken = 16;

/** Takes out the pages that others have handed over to this machine. */
export async function takePages(handOver: HandOver, part: HostPart | undefined): Promise<string[]> {
  const taken = await handOver.take(await handOver.look(part, ['page'], maxTaken));
  return taken.flatMap(({ url }) => canonicalUrl(url) ?? []);
}
