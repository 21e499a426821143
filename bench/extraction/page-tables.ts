import type { Found } from './peers.ts';
import type { ReaderName } from './read-all.ts';
import type { ReaderReport } from './reader-process.ts';
import { countHeld, mean, sameAuthors, sameTitle, shingleAgreement, wordAgreement } from './scores.ts';
import { type Half, type JudgedPage, loadPageSet, type PageSetName, pageKey } from './sets.ts';

/** Of Gleaner and of the libraries that were not left out. */
export type Reports = Readonly<Partial<Record<ReaderName, ReaderReport>> & { gleaner: ReaderReport }>;

const columns: readonly (readonly [ReaderName, string])[] = [
  ['gleaner', 'Gleaner'],
  ['readability', 'Readability'],
  ['defuddle', 'defuddle'],
  ['trafilatura', 'trafilatura'],
];
/** htmldate finds dates alone. */
const dateColumns: typeof columns = [...columns, ['htmldate', 'htmldate']];

const three = (share: number): string => share.toFixed(3).replace(/^0/, '');

/** Figures that the sets' own README gives; for wcxb-sample over the whole development split it is drawn from. */
const published = {
  wcxb: 'rs-trafilatura .859, trafilatura .791, Readability .675',
  trafilatura: 'trafilatura .924, magic-html .889, Readability .887',
  shingles: 'rs-trafilatura .970, trafilatura .958, Readability .947 (another set)',
  dates: 'htmldate .840 (another set)',
};

type Pair = readonly [JudgedPage, Found];
type Score = (pairs: readonly Pair[]) => string;

/** The judged pages of a half of a set, and what a library found on them. */
function pairs(set: PageSetName, half: Half, { found }: ReaderReport): Pair[] {
  return loadPageSet(set)
    .filter((page) => page.half === half)
    .map((page) => [page, found.get(pageKey(set, page)) as Found] as const);
}

const reportOf = (reports: Reports, name: ReaderName): ReaderReport => reports[name] ?? reports.gleaner;

const readLibraries = (reports: Reports, all: typeof columns) => all.filter(([name]) => name in reports);

/** A Markdown table with a column for each library; each row counts its pages. */
function createTable(reports: Reports, half: Half, all: typeof columns) {
  const libraries = readLibraries(reports, all);
  const rows = [
    `| set, pages | measure | ${libraries.map(([, label]) => label).join(' | ')} | published |`,
    `|---|---|${'---|'.repeat(libraries.length)}---|`,
  ];
  return {
    rows,
    row(
      sets: readonly PageSetName[],
      { label = sets.join(', '), measure, judged, score, note = '' }: RowOptions,
    ): void {
      const of = (name: ReaderName) =>
        sets.flatMap((set) => pairs(set, half, reportOf(reports, name))).filter(([page]) => judged(page));
      const cells = libraries.map(([name]) =>
        name === 'htmldate' && score !== dateScore ? '' : score(of(name)),
      );
      rows.push(`| ${label}, ${of('gleaner').length} | ${measure} | ${cells.join(' | ')} | ${note} |`);
    },
  };
}

interface RowOptions {
  readonly label?: string;
  readonly measure: string;
  readonly judged: (page: JudgedPage) => boolean;
  readonly score: Score;
  readonly note?: string;
}

/** Main text against what people marked. */
export function textTable(reports: Reports, half: Half): string {
  const { rows, row } = createTable(reports, half, columns);
  const all = () => true;
  const types = new Set(loadPageSet('wcxb-sample').map(({ pageType = '' }) => pageType));
  const words = { measure: 'word F1', score: wordScore };
  row(['wcxb-sample'], { ...words, judged: all, note: published.wcxb });
  for (const type of [...types].sort())
    row(['wcxb-sample'], { ...words, label: `– ${type}`, judged: ({ pageType }) => pageType === type });
  row(['wcxb-sample'], {
    label: '– article',
    measure: 'F1 of four words in a row',
    judged: ({ pageType }) => pageType === 'article',
    score: shingleScore,
    note: published.shingles,
  });
  const lost = { label: '– all', measure: 'pages with less than half of the text' };
  row(['wcxb-sample'], { ...lost, judged: ({ text }) => text !== undefined, score: lostPages });
  row(['trafilatura'], {
    measure: 'F1 of strings (precision, recall)',
    judged: all,
    score: stringScore,
    note: published.trafilatura,
  });
  row(['newspaper4k'], { ...words, judged: all });
  return rows.join('\n');
}

const wordScore: Score = (judged) =>
  three(mean(judged.map(([{ text = '' }, found]) => wordAgreement(text, found.text).f1)));

const shingleScore: Score = (judged) =>
  three(mean(judged.map(([{ text = '' }, found]) => shingleAgreement(text, found.text).f1)));

const lostPages: Score = (judged) =>
  `${judged.filter(([{ text = '' }, found]) => wordAgreement(text, found.text).recall < 0.5).length}`;

const stringScore: Score = (judged) => {
  let [held, missed, wrong] = [0, 0, 0];
  for (const [page, { text }] of judged) {
    const hits = countHeld(text, page.with);
    held += hits;
    missed += page.with.length - hits;
    wrong += countHeld(text, page.without);
  }
  const f1 = (2 * held) / (2 * held + missed + wrong);
  return `${three(f1)} (${three(held / (held + wrong))}, ${three(held / (held + missed))})`;
};

/** Titles, authors and dates against what people noted. */
export function metadataTable(
  reports: Reports,
  half: Half,
  writtenDays: ReadonlyMap<string, string>,
): string {
  const { rows, row } = createTable(reports, half, dateColumns);
  const titles = { measure: 'title exact', judged: isTitled, score: titleScore };
  const titleSets = ['trafilatura', 'wcxb-sample', 'newspaper4k'] as const;
  for (const set of titleSets) row([set], titles);
  row(titleSets, { ...titles, label: 'all three' });
  for (const set of ['trafilatura', 'wcxb-sample'] as const)
    row([set], {
      measure: 'author exact / wrong / none',
      judged: ({ authors }) => authors !== undefined,
      score: authorScore,
    });
  for (const set of ['htmldate-mediacloud', 'trafilatura', 'wcxb-sample'] as const) {
    row([set], {
      measure: 'day right / wrong / none, in UTC',
      judged: isDated,
      score: dateScore,
      note: set === 'htmldate-mediacloud' ? published.dates : '',
    });
    const dated = loadPageSet(set).filter((page) => page.half === half && isDated(page));
    const right = dated.filter((page) => page.date === writtenDays.get(pageKey(set, page)));
    const share = three(right.length / dated.length);
    rows.push(
      `| ${set}, ${dated.length} | day right as the page writes it | ${share} | ${' | '.repeat(readLibraries(reports, dateColumns).length)}`,
    );
  }
  return rows.join('\n');
}

const isTitled = ({ title }: JudgedPage) => title !== undefined;
const isDated = ({ date }: JudgedPage) => date !== undefined;

const titleScore: Score = (judged) =>
  three(mean(judged.map(([{ title = '' }, found]) => (sameTitle(title, found.title) ? 1 : 0))));

const authorScore: Score = (judged) => {
  const none = judged.filter(([, found]) => !found.author).length;
  const exact = judged.filter(([{ authors = [] }, found]) => sameAuthors(authors, found.author ?? '')).length;
  return [exact, judged.length - exact - none, none].map((count) => three(count / judged.length)).join(' / ');
};

const dateScore: Score = (judged) => {
  const days = judged.map(([{ date }, found]) => [date, utcDay(found.date)] as const);
  const right = days.filter(([truth, day]) => truth === day).length;
  const none = days.filter(([, day]) => day === null).length;
  return [right, days.length - right - none, none].map((count) => three(count / days.length)).join(' / ');
};

/** The day of a date that a library gives: in UTC where it has a time and a zone, else as it stands. */
function utcDay(date: string | null): string | null {
  if (date === null) return null;
  const whole = /^\d{4}-\d\d-\d\d$/.exec(date)?.[0];
  const at = Date.parse(
    /[Tt ]\d\d:\d\d/.test(date) && !/(?:[Zz]|[+-]\d\d:?\d\d)$/.test(date) ? `${date}Z` : date,
  );
  return whole ?? (Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10));
}

/** Minimum share of Han among the letters of a page in Chinese; one in Japanese has kana beside it. */
const minHan = 0.5;

function isChinese({ title, text }: Found): boolean {
  const letters = `${title} ${text}`.match(/\p{L}/gu) ?? [];
  const han = letters.filter((letter) => /\p{Script=Han}/u.test(letter)).length;
  const kana = letters.filter((letter) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter)).length;
  return han > letters.length * minHan && kana < han / 20;
}

/** What reading the sets cost, of pages that Gleaner finds to be in Chinese and of all others. */
export function costTable(reports: Reports): string {
  const { found } = reports.gleaner;
  const chinese = [...found].filter(([, page]) => isChinese(page)).map(([key]) => key);
  const others = [...found.keys()].filter((key) => !chinese.includes(key));
  const meanCpu = (name: ReaderName, keys: readonly string[]) =>
    mean(keys.map((key) => reportOf(reports, name).cpuMs.get(key) ?? 0));
  const cell = (name: ReaderName, keys: readonly string[]) => {
    const ms = meanCpu(name, keys);
    return `${ms.toFixed(1)} (${(ms / meanCpu('gleaner', keys)).toFixed(1)})`;
  };
  return [
    `| | CPU ms a page, ${others.length} Western (times Gleaner's) | CPU ms a page, ${chinese.length} Chinese | pages a second of CPU | most memory, MB | pages failed |`,
    '|---|---|---|---|---|---|',
    ...readLibraries(reports, dateColumns).map(([name, label]) => {
      const { cpuMs, peakMegabytes, failures } = reportOf(reports, name);
      const perSecond = Math.round(1000 / mean([...cpuMs.values()]));
      return `| ${label} | ${cell(name, others)} | ${cell(name, chinese)} | ${perSecond} | ${Math.round(peakMegabytes)} | ${failures} |`;
    }),
  ].join('\n');
}
