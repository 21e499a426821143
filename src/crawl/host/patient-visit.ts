import type { VisitedEntry } from '../commit-visit.ts';
import type { Entry } from '../frontier.ts';
import type { UrlScope } from '../url/url-scope.ts';
import type { HostCrawl } from './host-crawl.ts';
import type { HostSilence } from './host-silence.ts';

/** Attempts for a page that asks to come later. */
export const maxAttempts = 3;
/** A host that asks for a longer pause ends its part of the run. */
export const maxWaitSeconds = 600;

/** Visits a page, and waits where the whole host asks for a pause of at most `maxWaitSeconds`. */
export async function visitWithPatience(
  crawl: HostCrawl,
  { entry, isWanted, silence }: { entry: Entry; isWanted: UrlScope; silence: HostSilence },
): Promise<VisitedEntry> {
  const { frontier, visitor, links, sleep, now, signal } = crawl;
  const claimed = new Set<string>();
  // A seed takes its crawl along to where it has moved: example.com to www.example.com.
  const within = (url: string): boolean =>
    entry.depth === 0 || (frontier.hosts.has(new URL(url).host) && isWanted(url));
  const claim = (url: string): boolean => {
    if (!claimed.has(url) && frontier.isSeen(url)) return false;
    claimed.add(url);
    return true;
  };
  for (let attempt = 1; ; attempt++) {
    const startedAt = now();
    const followed = await visitor.visit(entry.url, {
      signal,
      within,
      claim,
      conditional: links.has,
      feeds: entry.depth === 0,
    });
    const { visit } = followed;
    silence.note(visit, startedAt);
    const isOver = visit.kind !== 'later' || !visit.wholeHost || visit.seconds > maxWaitSeconds;
    if (isOver || attempt === maxAttempts || silence.outlasts(visit.seconds))
      return { ...followed, entry, movedTo: [...claimed] };
    crawl.onPause?.({ host: new URL(followed.url).host, why: visit.why, seconds: visit.seconds });
    await sleep(visit.seconds * 1000, signal);
  }
}
