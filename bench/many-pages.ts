import { parseArgs } from 'node:util';
import { pack } from '../src/index/packed/pack.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import type { Page } from '../src/page.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { pageId } from '../src/store/page/page-id.ts';

/** Pages that are written in one transaction. */
const batchSize = 1000;
/** The second half of a page's text comes from a page this much further on, times the number of the round. */
const stride = 7919;

/**
 * Fills the data folder `--data FOLDER` with `--pages 1000000` realistic pages, for `--data` of other benches: those of the
 * data folder `--from FOLDER`, again and again under other host names, from the second round on with half of the text of
 * another page. What words they have, and how long they are, stays as it was. It takes the better part of an hour.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      data: { type: 'string' },
      pages: { type: 'string', default: '1000000' },
    },
  });
  const { from, data } = values;
  if (from === undefined || data === undefined)
    throw new Error('many-pages needs --from FOLDER and --data FOLDER');
  const source = openPageStore(from);
  const target = openPageStore(data);
  const ids = [...source.heads()].map(({ id }) => id);
  const pageAt = (number: number): Page | undefined => source.page(ids[number % ids.length] as string);
  const wanted = Number(values.pages);
  for (let first = 0; first < wanted; first += batchSize) {
    const batch: Page[] = [];
    for (let number = first; number < Math.min(wanted, first + batchSize); number++) {
      const round = Math.floor(number / ids.length);
      const page = pageAt(number);
      const other = round === 0 ? page : pageAt(number + round * stride);
      if (page && other) batch.push(mixed(page, other, round));
    }
    await target.write((writer) => batch.forEach(writer.putPage));
    if ((first / batchSize) % 50 === 0) console.log(`${first + batch.length} pages`);
  }
  await source.close();
  console.log('packing');
  pack(target, indexFolderOf(data));
  await target.close();
}

/** A page with the second half of the lines of another one, under another host name; in round 0 as it is. */
function mixed(page: Page, other: Page, round: number): Page {
  if (round === 0) return page;
  const url = page.url.replace('://', `://n${round}.`);
  const own = page.body.split('\n');
  const others = other.body.split('\n');
  const body = [...own.slice(0, Math.ceil(own.length / 2)), ...others.slice(Math.ceil(others.length / 2))];
  return { ...page, id: pageId(url), url, body: body.join('\n') };
}
