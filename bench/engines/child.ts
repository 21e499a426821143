import { createInterface } from 'node:readline';
import { createBuilding } from './building.ts';
import type { Ask, Peer } from './peer.ts';
import type { Reply, Request } from './protocol.ts';

/** One engine in a process of its own: `node child.js ENGINE`, a request a line on stdin, a reply a line on stdout. */
const { peer } = (await import(`./${process.argv[2]}.js`)) as { peer: Peer };
let ask: Ask = () => {
  throw new Error('not open');
};

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line) as Request).catch(
    (error: unknown): Reply => ({ failed: String(error) }),
  );
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

async function answer(request: Request): Promise<Reply> {
  switch (request.do) {
    case 'build':
      return { build: await createBuilding(peer, request) };
    case 'open': {
      const started = performance.now();
      const before = process.cpuUsage();
      ask = await peer.open(request.folder);
      return { openMs: performance.now() - started, openCpuMs: cpuMicros(before) / 1000 };
    }
    case 'ask': {
      const totals: number[] = [];
      const micros: number[] = [];
      for (const query of request.queries) {
        const before = process.cpuUsage();
        const found = ask(query);
        const { total } = found instanceof Promise ? await found : found;
        micros.push(cpuMicros(before));
        totals.push(total);
      }
      return { totals, micros };
    }
  }
}

function cpuMicros(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
