import type { Page } from '../../src/page.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { seededRandom } from '../page-source.ts';

/** Words of a text: enough that no two pages are near duplicates, and that a text takes several pages of LMDB. */
const bodyWords = 400;

export function urlOfSlot(slot: number): string {
  return `http://storm.example/${slot}`;
}

/** A word that the page of this slot alone holds, in all of its versions. */
export function wordOfSlot(slot: number): string {
  return `slotword${slot.toString(36)}x`;
}

/** The page of a slot in one version. Its text follows from both, so that a wrong text is noticed. */
export function stormPage(slot: number, version: number): Page {
  const url = urlOfSlot(slot);
  const body = bodyOf(slot, version);
  return {
    id: pageId(url),
    url,
    title: `Storm ${slot}`,
    description: '',
    headings: '',
    body,
    siteName: null,
    author: null,
    publishedAt: null,
    crawledAt: Date.UTC(2026, 0, 1) + version,
    lang: 'en',
    fileType: 'html',
    wordCount: bodyWords + 2,
  };
}

export function bodyOf(slot: number, version: number): string {
  const random = seededRandom(1 + slot * 100_003 + version * 17);
  const words = Array.from({ length: bodyWords }, () => Math.floor(random() * 2 ** 32).toString(36));
  return `${wordOfSlot(slot)} version${version}x ${words.join(' ')}`;
}

/** Which version a text claims to be; undefined for a text without one. */
export function versionOf(body: string): number | undefined {
  const claimed = /\bversion(\d+)x\b/.exec(body)?.[1];
  return claimed === undefined ? undefined : Number(claimed);
}
