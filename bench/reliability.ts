import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from './page-source.ts';
import {
  indexDamageStorm,
  makeStormFolder,
  mappedDamageStorm,
  storeDamageStorm,
} from './reliability/damage-storm.ts';
import { fullDiskStorm } from './reliability/full-disk-storm.ts';
import { killStorm } from './reliability/kill-storm.ts';
import { stoppedWriterStorm } from './reliability/stopped-writer-storm.ts';
import type { Storm, StormRow } from './reliability/storm.ts';
import { readBlock, writeBlock } from './write-block.ts';

/** Each storm with its number of faults in a full run. */
const storms: Readonly<Record<string, { readonly run: Storm; readonly faults: number }>> = {
  kills: { run: killStorm, faults: 100 },
  'full-disk': { run: fullDiskStorm, faults: 20 },
  stopped: { run: stoppedWriterStorm, faults: 40 },
  store: { run: storeDamageStorm, faults: 200 },
  index: { run: indexDamageStorm, faults: 100 },
  mapped: { run: mappedDamageStorm, faults: 100 },
};

/**
 * What do faults do to the data? Arguments: names of storms, all without any; `--share 0.1` tries a tenth of the
 * faults; `--seed 7` draws others; `--write` puts the row of each storm into docs/reliability.md when it has ended. Exit
 * status 1 when anything was lost or wrong, or a process died.
 */
export async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      share: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      write: { type: 'boolean', default: false },
    },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(storms);
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-reliability-'));
  const rows: StormRow[] = [];
  try {
    for (const name of names) {
      const storm = storms[name];
      if (storm === undefined) throw new Error(`no storm ${name}: ${Object.keys(storms).join(', ')}`);
      const faults = Math.max(1, Math.round(storm.faults * Number(values.share)));
      const random = seededRandom(Number(values.seed));
      rows.push(await storm.run({ faults, folder: makeStormFolder(folder, name), random }));
      console.error(JSON.stringify(rows.at(-1)));
      if (values.write) writeRows(rows.slice(-1));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log([head, ...rows.map(lineOf)].join('\n'));
  if (rows.some(({ lost, wrong, died }) => lost + wrong + died > 0)) process.exitCode = 1;
}

const head =
  '| storm | faults | acknowledged | lost | wrong | died or hung | |\n|---|--:|--:|--:|--:|--:|---|';

function lineOf({ storm, faults, acknowledged, lost, wrong, died, note }: StormRow): string {
  const numbers = [faults, acknowledged, lost, wrong, died].map((count) => count.toLocaleString('en'));
  return `| ${storm} | ${numbers.join(' | ')} | ${note} |`;
}

/** Replaces the rows of these storms; the others stay as their last run wrote them. */
function writeRows(rows: readonly StormRow[]): void {
  const [file, mark] = ['docs/reliability.md', 'storms'] as const;
  const written = new Map(rows.map((row) => [row.storm, lineOf(row)]));
  const lines = readBlock(file, mark)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  const stormOf = (line: string): string => line.slice(2, line.indexOf(' | '));
  const kept = lines.map((line) => written.get(stormOf(line)) ?? line);
  const added = [...written].filter(([storm]) => !lines.some((line) => stormOf(line) === storm));
  writeBlock(file, mark, `\n${[head, ...kept, ...added.map(([, line]) => line)].join('\n')}\n`);
}
