import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import { createForgetPages } from '../crawl/forget-pages.ts';
import type { PageHead } from '../page.ts';
import { pageId } from '../store/page/page-id.ts';
import { createPageIntake } from '../store/page/page-intake.ts';
import type { PageStore } from '../store/page-store.ts';
import { patientWriter } from '../store/writer/patient-writer.ts';
import { type PageSelection, parsePageSelection } from './arguments/page-selection.ts';
import { openFilledStore } from './data-folder.ts';
import { printableLine } from './output/printable.ts';
import { sayOnStderr } from './output/say.ts';
import { createSentenceLog } from './output/sentence-log.ts';

export interface RemoveFlags {
  readonly dryRun?: true;
}

/** Removals per commit. */
const batch = 500;
/** URLs that a dry run prints. */
const maxUrlsShown = 10;

/** `gleaner remove`: one page by its URL, all pages below a URL, or every page of a site. */
export async function remove(target: string, { dryRun }: RemoveFlags, config: Config): Promise<void> {
  const selection = parsePageSelection(target);
  if (selection.isBareName) throw bareName(target);
  const opened = openFilledStore(config);
  const store = patientWriter(opened, sayOnStderr);
  try {
    const { selected, hostsLeft } = split(store, selection);
    if (selected.length === 0) throw nothingThere(store, selection);
    if (dryRun) {
      process.stdout.write(describe(selected.map(({ url }) => url)));
      return;
    }
    const log = createSentenceLog(config);
    const pages = createPageIntake(store);
    const forget = createForgetPages(store);
    for (let start = 0; start < selected.length; start += batch) {
      const removed = selected.slice(start, start + batch);
      await store.write((writer) => {
        for (const { id } of removed) pages.remove(writer, id);
        forget(writer, removed, hostsLeft);
      });
      for (const { url } of removed) log.info({}, `removed: ${url}`);
    }
    process.stdout.write(`Removed ${countOf(selected.length)}.\n`);
  } finally {
    await store.close();
  }
}

/** The pages that are selected, and the hosts of those that are not. */
function split(store: PageStore, selection: PageSelection) {
  const selected: Pick<PageHead, 'id' | 'url'>[] = [];
  const hostsLeft = new Set<string>();
  for (const { id, url } of store.heads()) {
    if (selection.has(url)) selected.push({ id, url });
    else if (URL.canParse(url)) hostsLeft.add(new URL(url).host);
  }
  // Scans leave damaged pages out; this URL may be one's.
  const { kind, name } = selection;
  if (kind === 'page' && selected.length === 0 && store.damageOf(pageId(name)) !== undefined)
    selected.push({ id: pageId(name), url: name });
  return { selected, hostsLeft };
}

function describe(urls: readonly string[]): string {
  const shown = urls.toSorted().slice(0, maxUrlsShown);
  const more = urls.length - shown.length;
  return [
    `Would remove ${countOf(urls.length)}:`,
    ...shown.map((url) => `  ${printableLine(url)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
  ].join('\n');
}

function countOf(pages: number): string {
  return `${pages} ${pages === 1 ? 'page' : 'pages'}`;
}

function bareName(target: string): ServiceError {
  const host = target.replace(/^[*.]+|[./].*$/g, '');
  return new ServiceError(
    'invalid_parameters',
    `${target} is too wide: it would remove every site under .${host}. Name a site, such as example.${host}; for a host that is called ${host}, give https://${host}/* or http://${host}/*`,
  );
}

/** Says how many pages the wider reading has, which is for the person to choose. */
function nothingThere(store: PageStore, { kind, name }: PageSelection): ServiceError {
  const nothing = `nothing in the index is ${name}`;
  if (kind !== 'page') return new ServiceError('not_found', nothing);
  const below = `${name.replace(/\/$/, '')}/*`;
  const { selected } = split(store, parsePageSelection(below));
  const hint = selected.length === 0 ? '' : `; it has ${countOf(selected.length)} of ${below}`;
  return new ServiceError('not_found', `${nothing}${hint}`);
}
