import type { FileReport, SetReport } from './read-set.ts';
import type { SetName } from './sets.ts';

export type Reports = Readonly<Record<SetName, SetReport>>;

const pairsOfTypes = [
  ['doc', 'docx'],
  ['xls', 'xlsx'],
  ['ppt', 'pptx'],
] as const;
const agreement = 0.9;

/** How many of each set open, hold what they should, and what it costs. */
export function setsTable(reports: Reports): string {
  const rows = Object.entries(reports).map(([set, { files, peakMB, startMB }]) => {
    const read = files.filter(({ why }) => why === null);
    const judged = files.filter(({ expected }) => expected > 0);
    const whole = judged.filter(({ missing, unwanted }) => missing.length + unwanted.length === 0);
    const expected = sum(judged.map((file) => file.expected));
    const missing = sum(judged.map((file) => file.missing.length));
    const cpu = files.map(({ cpuMs }) => cpuMs).sort((one, other) => one - other);
    return [
      set,
      files.length,
      read.length,
      files.filter(({ why }) => why === 'no text').length,
      files.filter(({ why }) => why !== null && why !== 'no text').length,
      judged.length === 0 ? 'none given' : `${whole.length} of ${judged.length}`,
      judged.length === 0 ? '' : `${expected - missing} of ${expected}`,
      `${at(cpu, 0.5).toFixed(1)} / ${at(cpu, 0.95).toFixed(0)}`,
      (sum(cpu) / 1000).toFixed(1),
      `${startMB.toFixed(0)} / ${peakMB.toFixed(0)}`,
    ];
  });
  return table(
    [
      'set',
      'files',
      'read',
      'without text',
      'refused',
      'hold every expected string',
      'strings found',
      'CPU ms, median / 95 %',
      'CPU s in all',
      'memory MB, before / peak',
    ],
    rows,
  );
}

/** Files by type, over all sets. */
export function typesTable(reports: Reports): string {
  const all = Object.values(reports).flatMap(({ files }) => files);
  const endings = [...new Set(all.map(({ file }) => endingOf(file)))].sort();
  return table(
    ['ending', 'files', 'read', 'without text', 'encrypted', 'damaged or another format'],
    endings.map((ending) => {
      const files = all.filter(({ file }) => endingOf(file) === ending);
      const count = (...whys: (string | null)[]) => files.filter(({ why }) => whys.includes(why)).length;
      const other = files.length - count(null, 'no text', 'encrypted');
      return [ending, files.length, count(null), count('no text'), count('encrypted'), other];
    }),
  );
}

/** What the refused are, and why expected strings are missing, most frequent first. */
export function reasonsTable({ 'tika-all': tika, docling, markitdown }: Reports): string {
  const named = new Map<string, string[]>();
  for (const { file, why } of [tika, docling, markitdown].flatMap(({ files }) => files))
    if (why !== null && why !== 'no text') named.set(why, [...(named.get(why) ?? []), file]);
  const refused = [...named].map(
    ([why, files]) => `- ${why}: ${files.map((file) => `\`${file}\``).join(', ')}`,
  );
  const reasons = new Map<string, { strings: number; files: Set<string> }>();
  for (const file of [docling, markitdown].flatMap(({ files }) => files)) {
    for (const string of file.missing) {
      const reason = reasonOf(string, file);
      const known = reasons.get(reason) ?? { strings: 0, files: new Set() };
      known.strings++;
      reasons.set(reason, { ...known, files: known.files.add(file.file) });
    }
  }
  const rows = [...reasons]
    .sort(([, one], [, other]) => other.strings - one.strings)
    .map(([reason, { strings, files }]) => [reason, strings, files.size]);
  return `Refused, by their outcome:\n\n${refused.join('\n')}\n\nExpected strings that were not found:\n\n${table(
    ['why', 'strings', 'files'],
    rows,
  )}`;
}

/** The same document in the old format and in the new one should say the same. */
export function pairsTable({ 'tika-all': { files } }: Reports): string {
  const byName = new Map(files.map((file) => [file.file, file]));
  const rows = pairsOfTypes.map(([old, young]) => {
    const shares = files.flatMap(({ file, words }) => {
      const other = byName.get(file.replace(/\.\w+$/, `.${young}`));
      if (endingOf(file) !== old || other === undefined) return [];
      if (words.length === 0 || other.words.length === 0) return [];
      const shared = words.filter((word) => other.words.includes(word)).length;
      return [shared / Math.max(words.length, other.words.length)];
    });
    shares.sort((one, two) => one - two);
    return [
      `${old} and ${young}`,
      shares.length,
      shares.filter((share) => share >= agreement).length,
      at(shares, 0.5).toFixed(2),
    ];
  });
  return table(
    ['formats', 'pairs with text', `share at least ${agreement} of their words`, 'median share'],
    rows,
  );
}

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** In this order, because a formula may have a number before it. */
function reasonOf(string: string, { file, words }: FileReport): string {
  const known = new Set(words);
  const isKnown = (text: string) =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => known.has(word));
  if (/\$/.test(string)) return 'a formula in LaTeX: ours is in plain characters';
  if (/^\[author:/.test(string)) return "a reviewer's comment, which is not read";
  if (/^(?:Bar|Line|Scatter|Pie|Other) chart$/.test(string)) return "the judges' word for a chart";
  if (/^(?:Sheet|Slide) ?\d+$/.test(string)) return 'the name of a sheet or slide without a name of its own';
  if (/data:image|!\[|^[0-9a-f]{8}-[0-9a-f-]{27}$|^Owner avatar/.test(string))
    return 'the description of a picture';
  if (/SM590000/.test(string)) return 'a bullet that the judges read as the name of a glyph';
  if (/^Page \d+ of \d+$/.test(string)) return 'the number of a page';
  if (/ 00:00:00$/.test(string)) return 'midnight after a date: ours is the day alone';
  if (/\p{Script=Arabic}/u.test(string) && file.endsWith('.pdf'))
    return 'right-to-left text of a PDF: pdf.js turns lam-alef ligatures around';
  if (/^\d+(?:\.\d+)*\.?\s/.test(string) && isKnown(string.replace(/^[\d.]+\s/, '')))
    return 'the number before a heading or an item, which Word counts itself';
  if (file.endsWith('.pdf') && isKnown(string))
    return 'all words are there, but split or ordered otherwise on a PDF page';
  if (isKnown(string.replace(/\b\d+\.|\[[ x]\]/g, '')))
    return 'all words are there; a sign or a number between them is not';
  return 'not found';
}

function endingOf(file: string): string {
  return /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
