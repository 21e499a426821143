import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import { indexFolderOf } from '../index/packed/read-ahead.ts';
import { verifyIndex } from '../index/packed/verify-index.ts';
import { processesOver } from '../store/lmdb/lock-file.ts';
import { storePath } from '../store/lmdb-store.ts';
import { checkStoreFile } from '../store/store-file.ts';
import { type Repair, repairStore } from '../store/verify/repair-store.ts';
import { type Finding, surveyStore } from '../store/verify/survey.ts';
import { type StoreCheck, storeParts, verifyStore } from '../store/verify/verify-store.ts';
import { thisCommand } from './arguments/command-name.ts';
import { requireData } from './data-folder.ts';

export interface VerifyFlags {
  readonly json?: true;
  readonly repair?: true;
}

/** What `gleaner verify --json` prints. */
interface Report {
  readonly dataFolder: string;
  readonly whole: boolean;
  readonly parts: readonly { readonly part: string; readonly checked: number; readonly damaged: number }[];
  readonly findings: readonly Finding[];
  readonly repair?: Repair;
}

/** Findings that are printed; `--json` has up to 10,000. */
const maxPrinted = 50;
/** Readings of a state that changes while it is read. */
const maxReadings = 3;
/** Maximum wait for the child process that pins the present state. */
const pinPatienceMs = 10_000;

/**
 * `gleaner verify`: reads the whole data folder and reports damage; with `--repair` it keeps the undamaged part. The
 * exit status is 0 without damage, and 1 with damage, even when it was repaired.
 */
export async function verify(config: Config, { json, repair }: VerifyFlags = {}): Promise<void> {
  const { dataFolder } = config;
  requireData(config);
  const report = await verifyFolder(dataFolder);
  const isStoreDamaged = report.findings.some(({ part }) => part !== 'index');
  let repaired: Repair | undefined;
  if (repair && !report.whole) {
    if (isStoreDamaged) repaired = await repairStore(dataFolder);
    // The next process that opens the folder packs it again from the store.
    rmSync(indexFolderOf(dataFolder), { recursive: true, force: true });
  }
  if (!report.whole) {
    process.exitCode = 1;
    const how = repair ? 'what is whole was kept' : 'nothing was changed';
    process.stderr.write(`gleaner: the data folder is damaged (${how})\n`);
  }
  const whole = { ...report, ...(repaired && { repair: repaired }) };
  process.stdout.write(json ? `${JSON.stringify(whole, null, 2)}\n` : text(whole, repair === true));
}

/** Finds all damage in a data folder. Reads its files without LMDB, which some damage would crash. */
export async function verifyFolder(dataFolder: string): Promise<Report> {
  const pin = await pinState(dataFolder);
  try {
    for (let reading = 1; ; reading++) {
      const { report, transaction } = await readFolder(dataFolder);
      if (report.whole || reading === maxReadings || transaction === (await transactionOf(dataFolder)))
        return report;
    }
  } finally {
    pin?.();
  }
}

async function readFolder(dataFolder: string): Promise<{ report: Report; transaction: number }> {
  const top = topFinding(dataFolder);
  let survey: ReturnType<typeof surveyStore>;
  try {
    survey = surveyStore(storePath(dataFolder));
  } catch (error) {
    const finding = top ?? { part: 'store file', what: (error as Error).message };
    return { report: reportOf(dataFolder, undefined, [finding], 0), transaction: 0 };
  }
  try {
    const check = verifyStore(survey);
    const index = verifyIndex(indexFolderOf(dataFolder), expectedIndex(check));
    const storeFindings = survey.findings.length === 0 && top ? [top] : survey.findings;
    const findings = [...storeFindings, ...index.findings.map((what) => ({ part: 'index', what }))];
    return {
      report: reportOf(dataFolder, check, findings, index.segments),
      transaction: survey.transaction,
    };
  } finally {
    await survey.close();
  }
}

async function transactionOf(dataFolder: string): Promise<number> {
  try {
    const survey = surveyStore(storePath(dataFolder));
    await survey.close();
    return survey.transaction;
  } catch {
    return 0;
  }
}

/** The damage that keeps the store from being opened. */
function topFinding(dataFolder: string): Finding | undefined {
  try {
    checkStoreFile(storePath(dataFolder));
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const what = error.message
      .replace(/^the store .* cannot be used: /, '')
      .replace(/; "gleaner verify.*$/, '');
    return { part: 'store file', what };
  }
}

function expectedIndex({ pages, log, lastSeq, epochs }: StoreCheck) {
  return {
    lastSeq: () => lastSeq,
    epochAt: (seq: number) => epochs.filter(([from]) => from <= seq).at(-1)?.[1],
    *pages(): Iterable<readonly [string, number]> {
      for (const [id, { isHidden }] of pages) if (!isHidden) yield [id, log.get(id)?.seq ?? 0];
    },
  };
}

function reportOf(
  dataFolder: string,
  check: StoreCheck | undefined,
  findings: readonly Finding[],
  segments: number,
): Report {
  const damaged = (name: string): number => findings.filter(({ part }) => part === name).length;
  const parts = [...storeParts, 'index'].map((part) => ({
    part,
    checked: part === 'index' ? segments : (check?.checked[part as (typeof storeParts)[number]] ?? 0),
    damaged: damaged(part),
  }));
  return { dataFolder, whole: findings.length === 0, parts, findings };
}

/** While another process has the store open, a child process pins the present state with a read transaction. */
async function pinState(dataFolder: string): Promise<(() => void) | undefined> {
  if (processesOver(storePath(dataFolder)).length === 0) return undefined;
  const child = spawn(process.execPath, [pinProcess, dataFolder], { stdio: ['pipe', 'pipe', 'ignore'] });
  const signal = AbortSignal.timeout(pinPatienceMs);
  // A child that LMDB crashed pins nothing; reading the file finds the reason.
  await Promise.race([once(child.stdout, 'data', { signal }), once(child, 'exit', { signal })]).catch(
    () => {},
  );
  return () => void child.kill();
}

const pinProcess = fileURLToPath(new URL('../store/lmdb/pin-snapshot.js', import.meta.url));

function text({ dataFolder, whole, parts, findings, repair }: Report, wantsRepair: boolean): string {
  const line = (part: string, checked: string, damaged: string): string =>
    `${part.padEnd(12)}  ${checked.padStart(10)}  ${damaged.padStart(10)}\n`;
  const units: Record<string, string> = {
    'store file': 'blocks',
    'change log': 'entries',
    tables: 'entries',
  };
  const rows = parts.map(({ part, checked, damaged }) =>
    line(part, `${checked}`, `${damaged}`).replace('\n', part in units ? `  (${units[part]})\n` : '\n'),
  );
  const listed = findings.slice(0, maxPrinted).map(({ part, what }) => `${part}: ${what}\n`);
  const more = findings.length - listed.length;
  return [
    `Data folder: ${dataFolder}\n\n${line('part', 'checked', 'damaged')}${rows.join('')}\n`,
    ...listed,
    more > 0 ? `and ${more} more; --json has them\n` : '',
    whole ? 'Everything is whole.\n' : '',
    !whole && !wantsRepair ? `Keep what is whole with: ${thisCommand()} --repair\n` : '',
    repair ? repairText(repair) : '',
    wantsRepair && !whole && !repair ? 'The index was dropped; it is packed again from the store.\n' : '',
  ].join('');
}

function repairText({ keptPages, strayPages, keptEntries, dropped, oldFile }: Repair): string {
  const listed = dropped.slice(0, maxPrinted).map((page) => `  ${page}\n`);
  const more = dropped.length - listed.length;
  return [
    `Kept ${keptPages} pages and ${keptEntries} entries of tables; the index is packed again from them.\n`,
    strayPages > 0 ? `Of these pages ${strayPages} were found apart and may be older versions.\n` : '',
    dropped.length > 0 ? `Lost ${dropped.length} pages; crawl or import them again:\n` : '',
    ...listed,
    more > 0 ? `  and ${more} more; --json has them\n` : '',
    oldFile !== null && existsSync(oldFile) ? `The old file is ${oldFile}.\n` : '',
  ].join('');
}
