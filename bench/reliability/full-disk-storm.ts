import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger } from './ledger.ts';
import {
  diedWithoutWords,
  inspectFolder,
  runGleaner,
  type Service,
  startService,
  startWriter,
} from './processes.ts';
import { between, type Storm, type StormOptions, type StormRow } from './storm.ts';

/** Far more than the disk holds. */
const slots = 4000;
const diskMegabytes = 6;
/** Left free when the writer begins, and given back to it afterwards. */
const spareBytes = { min: 400_000, max: 1_500_000 };

/**
 * A disk that fills up under a writer, with every other command beside it, and has room again later. Needs a tmpfs of
 * its own, which root alone may mount.
 */
export const fullDiskStorm: Storm = async (options) => {
  const row = { storm: 'full disk (tmpfs)', faults: 0, acknowledged: 0, lost: 0, wrong: 0, died: 0 };
  if (!mayMount(options.folder)) return { ...row, note: 'not run: mounting a tmpfs needs root' };
  const totals = { lost: 0, wrong: 0, died: 0 };
  for (let round = 0; round < options.faults; round++) {
    const disk = join(options.folder, `disk-${round}`);
    mkdirSync(disk);
    mount(disk);
    try {
      const found = await oneDisk(disk, options, createLedger());
      totals.lost += found.lost;
      totals.wrong += found.wrong;
      totals.died += found.died;
      row.acknowledged += found.acknowledged;
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  }
  return {
    ...row,
    ...totals,
    faults: options.faults,
    note: 'the writer goes on when there is room; `serve`, `search`, `status`, `import` and `keys` beside it',
  };
};

type Found = Pick<StormRow, 'acknowledged' | 'lost' | 'wrong' | 'died'>;

async function oneDisk(
  disk: string,
  { random }: StormOptions,
  ledger: ReturnType<typeof createLedger>,
): Promise<Found> {
  const folder = join(disk, 'data');
  const pages = join(disk, '..', 'pages');
  mkdirSync(pages, { recursive: true });
  writeFileSync(join(pages, 'a.html'), `<title>A page</title><p>${'Some more words. '.repeat(20_000)}</p>`);
  const writer = await startWriter(folder, slots, 1, ledger);
  let died = 0;
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
      const isExpected = args[0] === 'search' || args[0] === 'status' ? ended.code === 0 : true;
      if (diedWithoutWords(ended) || !isExpected) {
        died++;
        console.error(`on a full disk, ${args[0]} ended with ${ended.code}: ${ended.stderr.slice(-600)}`);
      }
    }
    service = await startService(folder).catch(() => undefined);
    if (service === undefined || !(await answers(service))) {
      died++;
      console.error('on a full disk, the service did not answer');
    }

    rmSync(ballast);
    await writer.next('acknowledged');
    if (service !== undefined && !(await answers(service))) died++;
  } catch (error) {
    died++;
    console.error(`on a full disk: ${(error as Error).message}`);
  } finally {
    await service?.stop();
    await writer.kill();
  }
  const found = await inspectFolder(folder, slots);
  if (found === undefined || 'refused' in found)
    return { acknowledged: ledger.count(), lost: 0, wrong: 0, died: died + 1 };
  return { acknowledged: ledger.count(), ...ledger.judge(found), died };
}

async function answers({ url }: Service): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(20_000);
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
