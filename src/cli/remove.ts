import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import { canonicalUrl } from '../crawl/url/canonical-url.ts';
import { parseSite, siteMatches } from '../query/site.ts';
import { pageId } from '../store/page/page-id.ts';
import { createPageIntake } from '../store/page/page-intake.ts';
import type { PageStore } from '../store/page-store.ts';
import { patientWriter } from '../store/writer/patient-writer.ts';
import { openFilledStore } from './data-folder.ts';
import { sayOnStderr } from './output/say.ts';
import { createSentenceLog } from './output/sentence-log.ts';

/** Removals per commit. */
const batch = 500;

/** `gleaner remove`: one page by its URL, or every page of a site. */
export async function remove(target: string, config: Config): Promise<void> {
  const store = patientWriter(openFilledStore(config), sayOnStderr);
  try {
    const log = createSentenceLog(config);
    const ids = matchingIds(store, target);
    if (ids.length === 0) throw new ServiceError('not_found', `nothing in the index is ${target}`);
    const pages = createPageIntake(store);
    for (let start = 0; start < ids.length; start += batch) {
      const removed = ids.slice(start, start + batch);
      const urls = removed.map((id) => store.head(id)?.url ?? canonicalUrl(target));
      await store.write((writer) => {
        for (const id of removed) pages.remove(writer, id);
      });
      for (const url of urls) if (url !== undefined) log.info({}, `removed: ${url}`);
    }
    process.stdout.write(`Removed ${ids.length} ${ids.length === 1 ? 'page' : 'pages'}.\n`);
  } finally {
    await store.close();
  }
}

/** The page with exactly this URL, otherwise all pages of the site, and of its port where the target has one. */
function matchingIds(store: PageStore, target: string): string[] {
  const url = canonicalUrl(target);
  const id = url && pageId(url);
  if (id && (store.head(id) ?? store.damageOf(id)) !== undefined) return [id];
  if (target.startsWith('file:')) {
    // Imported files: one, or all of a folder.
    const folder = target.endsWith('/') ? target : `${target}/`;
    return [...store.heads()]
      .filter((page) => page.url === target || page.url.startsWith(folder))
      .map((head) => head.id);
  }
  const site = parseSite(target);
  if (!site) throw new ServiceError('invalid_parameters', `${target} is neither a URL nor a site`);
  const port = /^(?:https?:\/\/)?[^/]*:(\d+)(?:\/|$)/.exec(target)?.[1];
  return [...store.heads()]
    .filter((page) => siteMatches(site, page.url) && (port === undefined || new URL(page.url).port === port))
    .map((head) => head.id);
}
