import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { createLedger } from './ledger.ts';
import { diedWithoutWords, inspectFolder, runGleaner, startService, startWriter } from './processes.ts';
import { between, type Storm } from './storm.ts';

const slots = 60;
/** A search beside a stopped writer that takes longer counts as hung. */
const answerMs = 10_000;

/** A writer that is stopped (SIGSTOP) in the middle of its work, beside a service that visits pages and other commands. */
export const stoppedWriterStorm: Storm = async ({ faults, folder, random }) => {
  const ledger = createLedger();
  let died = 0;
  const writer = await startWriter(folder, slots, 1, ledger);
  writer.send('go');
  await writer.next('acknowledged');
  const service = await startService(folder, { GLEANER_LEARN: '1' });
  const site = await startSite();
  const isAnswered = async (path: string): Promise<boolean> => {
    try {
      const response = await fetch(service.url + path, { signal: AbortSignal.timeout(answerMs) });
      return response.status === 200;
    } catch {
      return false;
    }
  };
  try {
    for (let round = 0; round < faults; round++) {
      await after(between(random, 20, 200));
      writer.child.kill('SIGSTOP');
      // A page by its URL makes the service visit and store it, as an agent's request does.
      const visit = askForPage(service.url, `${site.url}/page-${round}`);
      for (const path of ['/api/v1/search?q=storm', '/healthz', '/api/v1/search?q=slotword1x'])
        if (!(await isAnswered(path))) died++;
      const commands = [
        ['search', 'storm'],
        // These have to wait for the writer, and say so before they give up.
        ...(round % 2 === 0 ? [['keys', 'create', `reader-${round}`]] : []),
        ...(round % 10 === 1 ? [['remove', `${site.url}/page-0`]] : []),
      ];
      for (const args of commands)
        if (diedWithoutWords(await runGleaner([...args, '--data', folder]))) died++;
      writer.child.kill('SIGCONT');
      await visit;
      if (!(await isAnswered('/api/v1/search?q=storm'))) died++;
    }
    await writer.next('acknowledged');
  } finally {
    writer.child.kill('SIGCONT');
    await writer.kill();
    await service.stop();
    site.close();
  }
  const found = await inspectFolder(folder, slots);
  const whole = found !== undefined && !('refused' in found) ? ledger.judge(found) : { lost: 0, wrong: 0 };
  return {
    storm: 'writer stopped (SIGSTOP) beside `serve`, `search`, `keys`, `remove`',
    faults,
    acknowledged: ledger.count(),
    ...whole,
    died: died + (found === undefined || 'refused' in found ? 1 : 0),
    note: `every search beside it within ${answerMs / 1000} s`,
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
