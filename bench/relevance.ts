import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import { silentLog } from '../src/outside.ts';
import { parseQuery } from '../src/query/parser.ts';
import type { Query, Word } from '../src/query/query.ts';
import { pageId } from '../src/store/page-id.ts';
import { type JudgedQuery, loadJudgedSet, setNames } from './judged-sets.ts';
import { scoreRuns } from './ranking-metrics.ts';

const urlOf = (set: string, id: string): string => `https://${set}.example/${encodeURIComponent(id)}`;

export async function main(args: string[]): Promise<void> {
  for (const name of args.length ? args : setNames) {
    const set = loadJudgedSet(name);
    const data = mkdtempSync(join(tmpdir(), 'gleaner-bench-'));
    const app = openApp({ config: { dataFolder: data }, log: silentLog });
    const t0 = performance.now();
    const ids = new Map<string, string>();
    await app.store.write((w) => {
      for (const { id, title, text } of set.docs) {
        const url = urlOf(name, id);
        const pid = pageId(url);
        ids.set(pid, id);
        w.putPage({
          id: pid,
          url,
          title: name === 'cranfield' || name.startsWith('stard') ? title : title,
          description: '',
          headings: '',
          body: text,
          siteName: null,
          author: null,
          publishedAt: null,
          crawledAt: 0,
          lang: set.lang,
          fileType: 'html',
          wordCount: 0,
        });
      }
    });
    await app.follower.catchUp();
    console.log(name, set.docs.length, 'indexed', Math.round(performance.now() - t0), 'ms');
    const run = async (queries: readonly JudgedQuery[], tree: (q: string) => Query) => {
      const runs = [];
      for (const q of queries) {
        const a = await app.index.search({ query: tree(q.text), limit: 110 });
        runs.push({ ranked: a.hits.map((h) => ids.get(h.id) as string), grades: q.grades });
      }
      return scoreRuns(runs);
    };
    const show = (label: string, s: ReturnType<typeof scoreRuns>) =>
      console.log(
        label.padEnd(24),
        `ndcg ${s.ndcg10.toFixed(3)} mrr ${s.mrr10.toFixed(3)} r100 ${s.recall100.toFixed(3)} empty ${s.empty.toFixed(3)}`,
      );
    const qs = set.queries;
    const t1 = performance.now();
    show(
      'OR',
      await run(qs, (q) => ({
        kind: 'any',
        of: words(parseQuery(q)).map((w) => ({
          kind: 'words',
          text: '',
          quoted: false,
          words: [{ ...w, required: true }],
        })),
      })),
    );
    console.log('  ', ((performance.now() - t1) / qs.length).toFixed(2), 'ms/q');
    show('AND (relaxed)', await run(qs, parseQuery));
    if (set.shortQueries.length) show('AND short', await run(set.shortQueries, parseQuery));
    await app.close();
    rmSync(data, { recursive: true });
  }
}
function words(q: Query): readonly Word[] {
  if (q.kind === 'words') return q.words;
  if (q.kind === 'all' || q.kind === 'any') return q.of.flatMap(words);
  return [];
}
