import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDeaths, type Deaths } from './deaths.ts';
import { createLedger } from './ledger.ts';
import { inspectFolder, runGleaner, type Service, startService, startWriter } from './processes.ts';
import { between, type Storm, type StormOptions, type StormRow } from './storm.ts';

/** Far more than the disk holds. */
const slots = 4000;
const diskMegabytes = 6;
/** A service that takes longer counts as hung: much, so that a busy machine is not taken for a fault. */
const answerMs = 120_000;
/** Left free when the writer begins, and given back to it afterwards. */
const spareBytes = { min: 400_000, max: 1_500_000 };

/**
 * A disk that fills up under a writer, with every other command at the same time, and has room again later. Needs a tmpfs of
 * its own, which root alone may mount.
 */
export const fullDiskStorm: Storm = async (options) => {
  const row = { storm: 'full disk (tmpfs)', faults: 0, acknowledged: 0, lost: 0, wrong: 0, died: 0 };
  if (!mayMount(options.folder)) return { ...row, note: 'not run: mounting a tmpfs needs root' };
  const totals = { lost: 0, wrong: 0 };
  const deaths = createDeaths('full disk');
  for (let round = 0; round < options.faults; round++) {
    const disk = join(options.folder, `disk-${round}`);
    mkdirSync(disk);
    mount(disk);
    try {
      const found = await oneDisk(disk, options, createLedger(), deaths);
      totals.lost += found.lost;
      totals.wrong += found.wrong;
      row.acknowledged += found.acknowledged;
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  }
  return {
    ...row,
    ...totals,
    died: deaths.count(),
    faults: options.faults,
    note: `the writer goes on when there is room; \`serve\`, \`search\`, \`status\`, \`import\` and \`keys\` at the same time${deaths.note()}`,
  };
};

type Found = Pick<StormRow, 'acknowledged' | 'lost' | 'wrong'>;

async function oneDisk(
  disk: string,
  { random }: StormOptions,
  ledger: ReturnType<typeof createLedger>,
  deaths: Deaths,
): Promise<Found> {
  const folder = join(disk, 'data');
  const pages = join(disk, '..', 'pages');
  mkdirSync(pages, { recursive: true });
  writeFileSync(join(pages, 'a.html'), `<title>A page</title><p>${'Some more words. '.repeat(20_000)}</p>`);
  const writer = await startWriter(folder, slots, 1, ledger);
  let service: Service | undefined;
  try {
    writer.send('go');
    await writer.next('acknowledged');
    const ballast = join(disk, 'ballast');
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(
      ballast,
      Buffer.alloc(Math.max(0, bavail * bsize - between(random, spareBytes.min, spareBytes.max))),
    );
    await writer.next('failed');

    // Reading goes on, in the writer and in processes that start on the full disk.
    const read = writer.next('read');
    writer.send('read');
    await read;
    for (const args of [
      ['search', 'storm'],
      ['status'],
      ['keys', 'create', 'reader'],
      ['import', pages, '--base-url', 'http://more.example/'],
    ]) {
      const ended = await runGleaner([...args, '--data', folder]);
      deaths.check(`gleaner ${args[0]}`, ended);
      const reads = args[0] === 'search' || args[0] === 'status';
      if (reads && ended.code !== 0)
        deaths.add(`gleaner ${args[0]}`, `ended with ${ended.code}: ${ended.stderr.slice(-600)}`);
    }
    service = await startService(folder).catch(() => undefined);
    if (service === undefined || !(await answers(service)))
      deaths.add('gleaner serve', 'did not answer on a full disk');

    rmSync(ballast);
    await writer.next('acknowledged');
    if (service !== undefined && !(await answers(service)))
      deaths.add('gleaner serve', 'did not answer when there was room again');
  } catch (error) {
    deaths.add('the writer', (error as Error).message);
  } finally {
    await service?.stop();
    await writer.kill();
  }
  const found = deaths.inspected(await inspectFolder(folder, slots));
  return { acknowledged: ledger.count(), ...(found ? ledger.judge(found) : { lost: 0, wrong: 0 }) };
}

async function answers({ url }: Service): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(`${url}/api/v1/search?q=storm`, { signal });
    return response.status === 200 && ((await response.json()) as { total: number }).total > 0;
  } catch {
    return false;
  }
}

function mayMount(folder: string): boolean {
  try {
    const path = join(folder, 'may-mount');
    mkdirSync(path);
    mount(path);
    execFileSync('umount', [path]);
    return true;
  } catch {
    return false;
  }
}

function mount(path: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
}
