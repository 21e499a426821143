import { pathToFileURL } from 'node:url';
import { openApp } from '../../src/app/app.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { SearchParams } from '../../src/contract/search.ts';
import { silentLog } from '../../src/runtime.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { bodyOf, urlOfSlot, versionOf, wordOfSlot } from './storm-page.ts';

/** What a data folder holds after a fault. */
export interface Inspection {
  /** Slot and version of each stored page whose text is what was written. */
  readonly pages: readonly (readonly [slot: number, version: number])[];
  /** Slots with a text that was never written, or of which the index says other than the store. */
  readonly wrongSlots: readonly number[];
  /** Slots whose page is there and was refused with words. */
  readonly damagedSlots: readonly number[];
}

/** What `inspect-folder.js` prints: an inspection, or in which words the folder was refused. */
export type Inspected = Inspection | { readonly refused: string };

/** Reads every slot of a folder from the store and through a search, as a service would. */
async function inspect(folder: string, slots: number): Promise<Inspection> {
  const app = openApp({ config: { dataFolder: folder }, log: silentLog });
  const pages: [number, number][] = [];
  const wrongSlots: number[] = [];
  const damagedSlots: number[] = [];
  try {
    await app.prepare();
    for (let slot = 0; slot < slots; slot++) {
      const id = pageId(urlOfSlot(slot));
      try {
        const page = app.store.page(id);
        const version = page && versionOf(page.body);
        const params = SearchParams.parse({ q: wordOfSlot(slot) });
        const { results } = await app.engine.search(params);
        const isFound = results.length === 1 && results[0]?.id === id;
        const isText = page === undefined || page.body === bodyOf(slot, version ?? 0);
        if (!isText || (page !== undefined) !== isFound) wrongSlots.push(slot);
        else if (version !== undefined) pages.push([slot, version]);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        damagedSlots.push(slot);
      }
    }
  } finally {
    await app.close();
  }
  return { pages, wrongSlots, damagedSlots };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder = '', slots = '60'] = process.argv.slice(2);
  try {
    process.stdout.write(JSON.stringify((await inspect(folder, Number(slots))) satisfies Inspected));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    process.stdout.write(JSON.stringify({ refused: error.message } satisfies Inspected));
  }
}
