import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createExtractPool } from '../src/extract/extract-pool.ts';
import type { PageHead } from '../src/page.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { pageId } from '../src/store/page/page-id.ts';
import { createPageWriter } from '../src/store/page-writer.ts';
import { foldForComparison } from '../src/text/line/fold-for-comparison.ts';
import { cached } from './engines/cache.ts';
import { unpackPackage } from './engines/unpack-package.ts';
import { writeBlock } from './write-block.ts';

/** Reference documentation, where pages are mostly template: what a copy is shows here first. */
const packages = ['rust-doc', 'python3.11-doc', 'openjdk-17-doc', 'cppreference-doc-en-html'];

const header =
  '| documentation | pages | copies | hidden | hidden with a title of its own | titles | pages with the most frequent title | which |\n|---|--:|--:|--:|--:|--:|--:|---|';

/**
 * Which pages are hidden as copies? Arguments: names of Debian packages, four of them without any; `--every N` takes
 * every Nth page, `--write` puts the table into docs/crawling.md. Pages that are hidden with a title of their own are
 * listed on stderr. Packages are downloaded by apt-get and unpacked; nothing is installed.
 */
export async function main(args: string[]): Promise<void> {
  const every = args.includes('--every') ? Number(args[args.indexOf('--every') + 1]) : 1;
  const names = args.filter((arg) => !arg.startsWith('--') && arg !== String(every));
  const lines = [header];
  for (const name of names.length > 0 ? names : packages) {
    lines.push(await measure(name, every));
    console.log(lines.at(-1));
  }
  if (args.includes('--write')) writeBlock('docs/crawling.md', 'copies', lines.join('\n'));
}

async function measure(name: string, every: number): Promise<string> {
  const root = unpacked(name);
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-bench-'));
  const store = openPageStore(folder);
  const readers = createExtractPool();
  const pageWriter = createPageWriter({ store });
  try {
    const files = htmlBelow(root).filter((_, place) => place % every === 0);
    for (let at = 0; at < files.length; at += 32) {
      const pages = await Promise.all(
        files.slice(at, at + 32).map(async (file) => {
          const url = new URL(encodeURI(relative(root, file)), `https://${name}.example/`).href;
          const read = await readers.extract({ url, bytes: readFileSync(file), contentType: 'text/html' });
          // As the import does: such a page is no page of its own.
          return read.kind === 'page' && read.page.forwardsTo === undefined
            ? { ...read.page, id: pageId(url), url, crawledAt: 0 }
            : undefined;
        }),
      );
      await Promise.all(pages.flatMap((page) => (page ? [pageWriter.put(page)] : [])));
    }
    await pageWriter.settled();
    return row(name, [...store.heads()]);
  } finally {
    await readers.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(name: string, heads: readonly PageHead[]): string {
  const titleOf = new Map(heads.map(({ id, title }) => [id, foldForComparison(title)]));
  const copies = heads.filter(({ copyOf }) => copyOf !== undefined);
  const hidden = copies.filter(({ isHidden }) => isHidden);
  const own = hidden.filter(({ id, copyOf }) => titleOf.get(id) !== titleOf.get(copyOf ?? ''));
  for (const { url, title } of own) console.error(`hidden with a title of its own: ${url} ${title}`);
  const titles = new Map<string, number>();
  for (const { title } of heads) titles.set(title, (titles.get(title) ?? 0) + 1);
  const [frequent, most] = [...titles].reduce((one, other) => (other[1] > one[1] ? other : one));
  const figures = [heads.length, copies.length, hidden.length, own.length, titles.size, most];
  return `| ${name} | ${figures.map((figure) => figure.toLocaleString('en')).join(' | ')} | ${frequent} |`;
}

/** The folder of a package's files, unpacked once. */
function unpacked(name: string): string {
  const root = cached('copies', name);
  return existsSync(root) ? root : unpackPackage(name, root);
}

function htmlBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.x?html?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
