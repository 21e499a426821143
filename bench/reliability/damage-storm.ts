import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isValueFile } from '../../src/store/lmdb/value-file.ts';
import { createDeaths, type Deaths } from './deaths.ts';
import { createLedger } from './ledger.ts';
import { inspectFolder, type Looked, runGleaner, startWriter } from './processes.ts';
import { between, type Storm, type StormOptions, type StormRow } from './storm.ts';

const slots = 150;
/** With pages for so many slots, a packed index has segments that are too small to be mapped. */
const slotsOfReadSegments = 60;
/** With pages for so many, at least one is mapped. */
const slotsOfMappedSegments = 500;
const pageBytes = 4096;

type Random = () => number;
type Damage = (bytes: Buffer, random: Random) => Buffer;

/** What a disk, a copy that was cut short or a careless hand does to a file. */
const damages: Readonly<Record<string, Damage>> = {
  'one bit': (bytes, random) => flipBits(bytes, 1, random),
  '300 bits': (bytes, random) => flipBits(bytes, 300, random),
  cut: (bytes, random) => bytes.subarray(0, between(random, 0, bytes.length)),
  'zeroed page': (bytes, random) => withPage(bytes, random, Buffer.alloc(pageBytes)),
  'random page': (bytes, random) =>
    withPage(bytes, random, Buffer.from(Array.from({ length: pageBytes }, () => between(random, 0, 256)))),
  'page of another place': (bytes, random) => {
    const from = pageOffset(bytes, random);
    return withPage(bytes, random, Buffer.from(bytes.subarray(from, from + pageBytes)));
  },
  text: () => Buffer.from('hello\n'),
  empty: () => Buffer.alloc(0),
};

/** Damages the store's file: it is refused or mended in words, and `verify --repair` keeps what is whole. */
export const storeDamageStorm: Storm = async ({ faults, folder, random }) => {
  const whole = await fill(join(folder, 'whole'), slots);
  const row = { faults, acknowledged: 0, lost: 0, wrong: 0 };
  const deaths = createDeaths('store file damaged');
  let refused = 0;
  let kept = 0;
  let older = 0;
  let pages = 0;
  for (let round = 0; round < faults; round++) {
    const copy = join(folder, 'copy');
    cpSync(join(folder, 'whole'), copy, { recursive: true });
    const kind = damageFile(join(copy, 'store'), round, random);
    const add = judge(await inspectFolder(copy, slots), whole, deaths);
    row.wrong += add.wrong + add.older;
    // Pages that are gone without a word: neither refused, nor reported by the command that reads all.
    const check = await runGleaner(['verify', '--data', copy]);
    deaths.check(`gleaner verify (${kind})`, check);
    if (add.refused !== undefined) refused++;
    if (add.missing > 0 && check.code === 0) row.lost += add.missing;

    const repair = await runGleaner(['verify', '--repair', '--data', copy]);
    deaths.check(`gleaner verify --repair (${kind})`, repair);
    const after = judge(await inspectFolder(copy, slots), whole, deaths);
    row.wrong += after.wrong;
    if (after.refused !== undefined && !['text', 'empty'].includes(kind))
      deaths.add(`the repaired store (${kind})`, `refused: ${after.refused}`);
    kept += after.kept;
    older += after.older;
    pages += whole.size;
    row.acknowledged += whole.size;
    rmSync(copy, { recursive: true });
  }
  const share = ((100 * kept) / pages).toFixed(1);
  return {
    storm: 'store file damaged, then `verify` and `verify --repair`',
    ...row,
    died: deaths.count(),
    note: `${refused} refused in words when opened; ${share} % of all pages whole after the repair, and ${older} pages in an older version${deaths.note()}`,
  };
};

/** Damages files of an index whose segments are read: answers come from the store, and the next packing mends it. */
export const indexDamageStorm: Storm = (options) =>
  damageIndex(options, {
    storm: 'segments and manifest damaged',
    slots: slotsOfReadSegments,
    isMapped: false,
  });

/** As `indexDamageStorm`, with a segment that is mapped, in the same boot of the machine. */
export const mappedDamageStorm: Storm = (options) =>
  damageIndex(options, {
    storm: 'mapped segments and manifest damaged',
    slots: slotsOfMappedSegments,
    isMapped: true,
  });

interface DamagedIndex extends Pick<StormRow, 'storm'> {
  readonly slots: number;
  readonly isMapped: boolean;
}

async function damageIndex(
  { faults, folder, random }: StormOptions,
  { storm, slots, isMapped }: DamagedIndex,
): Promise<StormRow> {
  const whole = await fill(join(folder, 'whole'), slots);
  if (hasMappedSegment(join(folder, 'whole')) !== isMapped)
    throw new Error(`the folder to damage has ${isMapped ? 'no' : 'a'} segment that is mapped`);
  const row = { faults, acknowledged: faults * whole.size, lost: 0, wrong: 0 };
  const deaths = createDeaths('index damaged');
  for (let round = 0; round < faults; round++) {
    const copy = join(folder, 'copy');
    cpSync(join(folder, 'whole'), copy, { recursive: true, preserveTimestamps: true });
    const kind = damageFile(join(copy, 'index'), round, random);
    const { wrong, missing, refused } = judge(await inspectFolder(copy, slots), whole, deaths);
    row.wrong += wrong;
    if (refused !== undefined) deaths.add(`a folder with a damaged index (${kind})`, `refused: ${refused}`);
    row.lost += missing;
    rmSync(copy, { recursive: true });
  }
  const note = `every page searched after each${deaths.note()}`;
  return { storm, ...row, died: deaths.count(), note };
}

function hasMappedSegment(folder: string): boolean {
  const files = readdirSync(join(folder, 'index')).filter((file) => file.endsWith('.seg'));
  return files.some((file) => isValueFile(readFileSync(join(folder, 'index', file))));
}

/** A folder of pages, packed; which slot holds which version. */
async function fill(folder: string, slots: number): Promise<Map<number, number>> {
  const ledger = createLedger();
  const writer = await startWriter(folder, slots, 1, ledger);
  writer.send('go');
  while (ledger.count() < 3 * slots) await writer.next('acknowledged');
  const closed = writer.next('closed');
  writer.send('close');
  await closed;
  await writer.kill();
  const found = await inspectFolder(folder, slots);
  if (!('pages' in found)) throw new Error('the folder to damage could not be made');
  if (!existsSync(join(folder, 'index', 'manifest.json')))
    throw new Error('the folder to damage is not packed');
  return new Map(found.pages);
}

/** Damages one file of a folder; says how. */
function damageFile(folder: string, round: number, random: Random): string {
  const files = readdirSync(folder).filter((file) => file !== 'lock.mdb');
  const file = join(folder, files[between(random, 0, files.length)] as string);
  const kinds = Object.keys(damages);
  const kind = kinds[round % kinds.length] as string;
  writeFileSync(file, (damages[kind] as Damage)(readFileSync(file), random));
  return kind;
}

interface Judged extends Pick<StormRow, 'wrong'> {
  /** Pages that are neither there nor refused in words. */
  readonly missing: number;
  readonly kept: number;
  /** Pages in an older version, whole: a repair finds them in blocks that no tree leads to any more. */
  readonly older: number;
  /** In which words the folder was refused. */
  readonly refused?: string;
}

function judge(looked: Looked, whole: ReadonlyMap<number, number>, deaths: Deaths): Judged {
  const nothing = { wrong: 0, missing: 0, kept: 0, older: 0 };
  if ('refused' in looked) return { ...nothing, refused: looked.refused };
  const found = deaths.inspected(looked);
  if (!found) return nothing;
  const right = found.pages.filter(([slot, version]) => whole.get(slot) === version);
  const other = found.pages.length - right.length;
  const missing = whole.size - right.length - other - found.damagedSlots.length - found.wrongSlots.length;
  return {
    wrong: found.wrongSlots.length,
    older: other,
    missing: Math.max(0, missing),
    kept: right.length,
  };
}

function flipBits(bytes: Buffer, count: number, random: Random): Buffer {
  for (let flipped = 0; flipped < count; flipped++) {
    const offset = between(random, 0, bytes.length);
    bytes[offset] = (bytes[offset] as number) ^ (1 << between(random, 0, 8));
  }
  return bytes;
}

function withPage(bytes: Buffer, random: Random, page: Buffer): Buffer {
  page.copy(bytes, pageOffset(bytes, random));
  return bytes;
}

function pageOffset(bytes: Buffer, random: Random): number {
  return between(random, 0, Math.max(1, Math.floor(bytes.length / pageBytes))) * pageBytes;
}

export function makeStormFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
