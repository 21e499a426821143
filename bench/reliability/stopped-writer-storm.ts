import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { createDeaths } from './deaths.ts';
import { createLedger } from './ledger.ts';
import { inspectFolder, runGleaner, startService, startWriter } from './processes.ts';
import { between, type Storm } from './storm.ts';

const slots = 60;
/**
 * A request that takes longer counts as hung. What is looked for is an answer that waits for the stopped writer, which
 * no time ends; on a machine with fifteen times as much to do as it has cores, an answer takes more than 10 s.
 */
const answerMs = 120_000;

/** A writer that is stopped (SIGSTOP) in the middle of its work, while a service visits pages and other commands run. */
export const stoppedWriterStorm: Storm = async ({ faults, folder, random }) => {
  const ledger = createLedger();
  const deaths = createDeaths('writer stopped');
  let refused = 0;
  let slowestMs = 0;
  const writer = await startWriter(folder, slots, 1, ledger);
  writer.send('go');
  await writer.next('acknowledged');
  const service = await startService(folder, { GLEANER_LEARN: '1' });
  const site = await startSite();
  const ask = async (path: string, when: string): Promise<void> => {
    const startedAt = performance.now();
    const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    try {
      const response = await fetch(service.url + path, { signal: AbortSignal.timeout(answerMs) });
      if (response.status === 200) {
        await response.text();
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
        return;
      }
      deaths.add(`GET ${path} ${when}`, `${response.status} after ${seconds()}: ${await response.text()}`);
    } catch (error) {
      const { exitCode, signalCode } = service.child;
      const state = exitCode === null && signalCode === null ? 'runs' : `ended: ${exitCode ?? signalCode}`;
      const cause = (error as Error).cause ?? error;
      deaths.add(`GET ${path} ${when}`, `no answer after ${seconds()} (${cause}); the service ${state}`);
    }
  };
  try {
    for (let round = 0; round < faults; round++) {
      await after(between(random, 20, 200));
      writer.child.kill('SIGSTOP');
      // A page by its URL makes the service visit and store it, as an agent's request does.
      const visit = askForPage(service.url, `${site.url}/page-${round}`);
      for (const path of ['/api/v1/search?q=storm', '/healthz', '/api/v1/search?q=slotword1x'])
        await ask(path, 'during a stopped writer');
      const commands = [
        ['search', 'storm'],
        // These have to wait for the writer, and say so before they give up.
        ...(round % 2 === 0 ? [['keys', 'create', `reader-${round}`]] : []),
        ...(round % 10 === 1 ? [['remove', `${site.url}/page-0`]] : []),
      ];
      for (const args of commands) {
        const ended = await runGleaner([...args, '--data', folder]);
        deaths.check(`gleaner ${args.join(' ')}`, ended);
        if (ended.code !== 0) refused++;
      }
      writer.child.kill('SIGCONT');
      await visit;
      await ask('/api/v1/search?q=storm', 'after the writer went on');
    }
    await writer.next('acknowledged');
  } finally {
    writer.child.kill('SIGCONT');
    await writer.kill();
    await service.stop();
    site.close();
  }
  const found = deaths.inspected(await inspectFolder(folder, slots));
  return {
    storm: 'writer stopped (SIGSTOP) during `serve`, `search`, `keys`, `remove`',
    faults,
    acknowledged: ledger.count(),
    ...(found ? ledger.judge(found) : { lost: 0, wrong: 0 }),
    died: deaths.count(),
    note: `the slowest answer meanwhile took ${(slowestMs / 1000).toFixed(1)} s; ${refused} commands that write gave up in words${deaths.note()}`,
  };
};

/** `fetch_content` by URL over MCP; how it ends does not matter here. */
async function askForPage(service: string, url: string): Promise<void> {
  const call = { name: 'fetch_content', arguments: { url } };
  await fetch(`${service}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    signal: AbortSignal.timeout(60_000),
  }).then(
    (response) => response.text(),
    () => '',
  );
}

/** A site of as many pages as are asked for. */
async function startSite(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>Page ${request.url}</title><p>The text of the page at ${request.url}.</p>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() };
}
