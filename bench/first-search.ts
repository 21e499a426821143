import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './median.ts';

/** Runs `gleaner.mjs` and reports what `time -v` does: CPU of all threads, and the peak of the resident set. */
const measured = `import { pathToFileURL } from 'node:url';
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, maxMB: maxRSS / 1024 };
  process.stderr.write('\\nUSAGE ' + JSON.stringify(usage) + '\\n');
});
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1]).href);
`;

const ownBin = fileURLToPath(new URL('../../bin/gleaner.mjs', import.meta.url));

interface Usage {
  readonly cpuSeconds: number;
  readonly maxMB: number;
}

/**
 * What does the first search in a new process cost after a crawl of `--pages 500` pages of Debian's python3-doc
 * (`--html` names another folder)? Medians of `--runs 5`. `--with BIN,BIN` measures the `bin/gleaner.mjs` of other clones.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '500' },
      runs: { type: 'string', default: '5' },
      html: { type: 'string' },
      with: { type: 'string', default: ownBin },
    },
  });
  const site = await serveFolder(values.html ?? pythonDocs());
  console.log(`${values.pages} pages, medians of ${values.runs} searches, each in a new process

| which | crawl: CPU s | pages | search: CPU s | search: max RSS MB | digest of the first results |
|---|--:|--:|--:|--:|---|`);
  try {
    for (const bin of values.with.split(',')) console.log(await measure(bin, site.url, values));
  } finally {
    site.close();
  }
}

async function measure(
  bin: string,
  url: string,
  { pages, runs }: { pages: string; runs: string },
): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'gleaner-first-search-'));
  try {
    const limits = ['--allow-private', '--delay', '0', '--max-pages', pages];
    const crawl = await run(bin, data, ['crawl', url, ...limits]);
    const stored = /^stored +(\d+)$/m.exec(crawl.stdout)?.[1] ?? '?';
    const searches: Usage[] = [];
    let answer = '';
    for (let n = 0; n < Number(runs); n++) {
      const search = await run(bin, data, ['search', 'asyncio taskgroup', '--json']);
      searches.push(search.usage);
      answer = JSON.stringify(
        (JSON.parse(search.stdout) as { results: { url: string }[] }).results.map((r) => r.url),
      );
    }
    const middle = (key: keyof Usage): number => median(searches.map((usage) => usage[key]));
    const digest = createHash('sha256').update(answer).digest('hex').slice(0, 8);
    const which = bin === ownBin ? 'this clone' : bin;
    return `| ${which} | ${crawl.usage.cpuSeconds.toFixed(1)} | ${stored} | ${middle('cpuSeconds').toFixed(2)} | ${middle('maxMB').toFixed(0)} | ${digest} |`;
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function run(
  bin: string,
  data: string,
  args: readonly string[],
): Promise<{ stdout: string; usage: Usage }> {
  const wrapper = join(data, 'measured.mjs');
  writeFileSync(wrapper, measured);
  const child = spawn(process.execPath, [wrapper, bin, ...args, '--data', data], {
    env: { ...process.env, GLEANER_EXTERNAL: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise((ended) => child.once('close', ended));
  const usage = /^USAGE (.*)$/m.exec(stderr)?.[1];
  if (code !== 0 || usage === undefined) throw new Error(`${bin} ${args.join(' ')}: ${code}\n${stderr}`);
  return { stdout, usage: JSON.parse(usage) as Usage };
}

/** The folder of Debian's python3-doc, whichever Python this Debian has. */
function pythonDocs(): string {
  const doc = '/usr/share/doc';
  const name = existsSync(doc)
    ? readdirSync(doc).find((entry) => /^python3\.\d+$/.test(entry) && existsSync(join(doc, entry, 'html')))
    : undefined;
  if (name === undefined)
    throw new Error('python3-doc is not installed: apt-get install python3-doc, or --html FOLDER');
  return join(doc, name, 'html');
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

async function serveFolder(folder: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = join(folder, normalize(decodeURIComponent(pathname.replace(/\/$/, '/index.html'))));
    try {
      const body = readFileSync(file);
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    }
  });
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
