import { setTimeout as after } from 'node:timers/promises';
import { createDeaths } from './deaths.ts';
import { createLedger } from './ledger.ts';
import { inspectFolder, startWriter } from './processes.ts';
import { between, type Storm } from './storm.ts';

const slots = 60;

/** `kill -9` of a process that puts, replaces and removes pages and packs them, at any point of its work. */
export const killStorm: Storm = async ({ faults, folder, random }) => {
  const ledger = createLedger();
  let lost = 0;
  let wrong = 0;
  const deaths = createDeaths('writer killed');
  for (let round = 0; round < faults; round++) {
    const writer = await startWriter(folder, slots, 1 + round * 1_000_000, ledger);
    writer.send('go');
    await writer.next('acknowledged');
    await after(between(random, 0, 400));
    await writer.kill();
    const found = deaths.inspected(await inspectFolder(folder, slots));
    if (!found) continue;
    const verdict = ledger.judge(found);
    lost += verdict.lost;
    wrong += verdict.wrong;
  }
  return {
    storm: 'writer killed (`kill -9`), packing included',
    faults,
    acknowledged: ledger.count(),
    lost,
    wrong,
    died: deaths.count(),
    note: `store and index read whole after each${deaths.note()}`,
  };
};
