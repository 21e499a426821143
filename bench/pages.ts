import { get } from 'node:http';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { sleep } from '../src/async/sleep.ts';
import { machine } from './engines/table.ts';
import { quantile } from './http/load.ts';
import { searchPath } from './http/paths.ts';
import { type Server, startGleaner, unlimited } from './http/server.ts';
import { drawClasses } from './whole-answers/queries.ts';
import { packedFolder, realPages } from './whole-answers/real-pages.ts';
import { writeBlock } from './write-block.ts';

const settings = { ...unlimited, GLEANER_METRICS: 'private' };

/** What a browser loads once and keeps. */
const assets = ['/assets/page.css', '/assets/page.js'];

/**
 * What does a page of results cost beside the same answer in JSON, with partial matches and highlights? Two services over the same pages, each asked every query once,
 * in turn: `--queries 60` of each kind. First byte, CPU, sizes. `--write` puts the table into docs/performance.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      queries: { type: 'string', default: '60' },
      write: { type: 'boolean', default: false },
    },
  });
  const pages = await realPages();
  const folder = await packedFolder(pages);
  const queries = drawClasses(pages, Number(values.queries)).flatMap(({ searches }) =>
    searches.map(({ q }) => q),
  );
  const json = await startGleaner(folder, settings);
  const html = await startGleaner(folder, settings);
  try {
    const forms = [
      { name: 'JSON', server: json, path: jsonPath, answers: [] as Answer[] },
      { name: 'page', server: html, path: pagePath, answers: [] as Answer[] },
    ];
    await Promise.all(forms.map(({ server }) => idle(server)));
    const before = forms.map(({ server }) => server.cpuMs());
    for (const q of queries)
      for (const { server, path, answers } of forms) answers.push(await ask(server, path(q)));
    const rows = forms.map(({ name, server, answers }, index) => {
      const first = Float64Array.from(answers, ({ firstByteMs }) => firstByteMs).sort();
      const cpu = (server.cpuMs() - (before[index] ?? 0)) / answers.length;
      return { name, p50: quantile(first, 0.5), p99: quantile(first, 0.99), cpu, answers };
    });
    const [asJson, asPage] = rows as [(typeof rows)[0], (typeof rows)[0]];
    const ratio = (key: 'p50' | 'p99' | 'cpu') => (asPage[key] / asJson[key]).toFixed(2);
    const size = (key: 'bytes' | 'gzip') => (row: (typeof rows)[0]) =>
      Math.round(row.answers.reduce((sum, answer) => sum + answer[key], 0) / row.answers.length);
    const kept = await Promise.all(assets.map((path) => ask(html, path)));
    const text = [
      `${pages.length.toLocaleString('en')} pages, ${queries.length} queries, each asked once of either; ${machine()}.`,
      '',
      '| | first byte p50 | p99 | CPU of the service | bytes | gzip |',
      '|---|--:|--:|--:|--:|--:|',
      ...rows.map(
        (row) =>
          `| ${row.name} | ${row.p50.toFixed(1)} ms | ${row.p99.toFixed(1)} ms | ${row.cpu.toFixed(1)} ms | ${size('bytes')(row)} | ${size('gzip')(row)} |`,
      ),
      `| ratio | ${ratio('p50')} | ${ratio('p99')} | ${ratio('cpu')} | | |`,
      '',
      `Style and script, loaded once: ${kept.map(({ bytes }) => bytes).join(' and ')} bytes, ${kept.map(({ gzip }) => gzip).join(' and ')} with gzip.`,
    ].join('\n');
    console.log(text);
    if (values.write) writeBlock('docs/performance.md', 'pages', text);
  } finally {
    await Promise.all([json.stop(), html.stop()]);
  }
}

/** A service looks through a new folder after its start. Resolves once it does nothing any more. */
async function idle(server: Server): Promise<void> {
  for (let before = server.cpuMs(); ; ) {
    await sleep(3000);
    const now = server.cpuMs();
    if (now - before < 100) return;
    before = now;
  }
}

/** What a page shows, too: pages that lack some words, and where the words are. */
function jsonPath(q: string): string {
  return `${searchPath(q)}&partial=true&highlights=true`;
}

function pagePath(q: string): string {
  return `/search?${new URLSearchParams({ q })}`;
}

interface Answer {
  readonly firstByteMs: number;
  readonly bytes: number;
  readonly gzip: number;
}

function ask(server: Server, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    get(`${server.url}${path}`, { headers: { accept: 'text/html' } }, (response) => {
      const firstByteMs = performance.now() - from;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode} ${body}`));
        else resolve({ firstByteMs, bytes: body.length, gzip: gzipSync(body).length });
      });
    }).on('error', reject);
  });
}
