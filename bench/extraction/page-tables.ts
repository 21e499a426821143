import type { Found } from './peers.ts';
import type { ReaderName } from './read-all.ts';
import type { ReaderReport } from './reader-process.ts';
import { countHeld, mean, sameAuthors, sameTitle, shingleAgreement, wordAgreement } from './scores.ts';
import { type JudgedPage, loadPageSet, type PageSetName } from './sets.ts';

type Reports = Readonly<Record<ReaderName, ReaderReport>>;

const columns: readonly (readonly [ReaderName, string])[] = [
  ['gleaner', 'Gleaner'],
  ['readability', 'Readability'],
  ['defuddle', 'defuddle'],
];

const three = (share: number): string => share.toFixed(3).replace(/^0/, '');

/** Figures that the sets' own README gives; for wcxb-sample over the whole development split it is drawn from. */
const published = {
  wcxb: 'rs-trafilatura .859, trafilatura .791, Readability .675',
  trafilatura: 'trafilatura .924, magic-html .889, Readability .887',
  shingles: 'rs-trafilatura .970, trafilatura .958, Readability .947 (another set)',
  dates: 'htmldate .840 (another set)',
};

function pairs(set: PageSetName, report: ReaderReport): (readonly [JudgedPage, Found])[] {
  return loadPageSet(set).map((page, at) => [page, report.found[set][at] as Found] as const);
}

/** Main text against what people marked. */
export function textTable(reports: Reports): string {
  const rows = [
    `| set | measure | ${columns.map(([, label]) => label).join(' | ')} | published |`,
    '|---|---|---|---|---|---|',
  ];
  const row = (set: string, measure: string, score: (report: ReaderReport) => string, note = ''): void => {
    rows.push(
      `| ${set} | ${measure} | ${columns.map(([name]) => score(reports[name])).join(' | ')} | ${note} |`,
    );
  };
  const wcxb = loadPageSet('wcxb-sample');
  const types = [...new Set(wcxb.map(({ pageType = '' }) => pageType))].sort();
  const wordF1 = (report: ReaderReport, set: PageSetName, type?: string): number =>
    mean(
      pairs(set, report)
        .filter(([page]) => type === undefined || page.pageType === type)
        .map(([{ text = '' }, found]) => wordAgreement(text, found.text).f1),
    );
  row('wcxb-sample, all 315', 'word F1', (report) => three(wordF1(report, 'wcxb-sample')), published.wcxb);
  for (const type of types)
    row(`– ${type}`, 'word F1', (report) => three(wordF1(report, 'wcxb-sample', type)));
  row(
    '– article',
    'F1 of four words in a row',
    (report) => three(articleShingles(report)),
    published.shingles,
  );
  row('– all', 'pages with less than half of the text', (report) => `${lostPages(report)}`);
  row('trafilatura, 493', 'F1 of strings (precision, recall)', stringScore, published.trafilatura);
  row('newspaper4k, 23', 'word F1', (report) => three(wordF1(report, 'newspaper4k')));
  return rows.join('\n');
}

function articleShingles(report: ReaderReport): number {
  const articles = pairs('wcxb-sample', report).filter(([{ pageType }]) => pageType === 'article');
  return mean(articles.map(([{ text = '' }, found]) => shingleAgreement(text, found.text).f1));
}

function lostPages(report: ReaderReport): number {
  return pairs('wcxb-sample', report).filter(
    ([{ text }, found]) => text !== undefined && wordAgreement(text, found.text).recall < 0.5,
  ).length;
}

function stringScore(report: ReaderReport): string {
  let [held, missed, wrong] = [0, 0, 0];
  for (const [page, { text }] of pairs('trafilatura', report)) {
    const hits = countHeld(text, page.with);
    held += hits;
    missed += page.with.length - hits;
    wrong += countHeld(text, page.without);
  }
  const f1 = (2 * held) / (2 * held + missed + wrong);
  return `${three(f1)} (${three(held / (held + wrong))}, ${three(held / (held + missed))})`;
}

/** Titles, authors and dates against what people noted. */
export function metadataTable(
  reports: Reports,
  writtenDays: (set: PageSetName) => readonly (string | null)[],
): string {
  const rows = [
    `| set | measure | ${columns.map(([, label]) => label).join(' | ')} | published |`,
    '|---|---|---|---|---|---|',
  ];
  const row = (set: string, measure: string, cells: readonly string[], note = ''): void => {
    rows.push(`| ${set} | ${measure} | ${cells.join(' | ')} | ${note} |`);
  };
  const each = (score: (report: ReaderReport) => string): string[] =>
    columns.map(([name]) => score(reports[name]));
  const titleSets = ['trafilatura', 'wcxb-sample', 'newspaper4k'] as const;
  for (const set of titleSets)
    row(
      `${set}, ${titled(set).length}`,
      'title exact',
      each((report) => three(titleShare([set], report))),
    );
  row(
    'all three',
    'title exact',
    each((report) => three(titleShare(titleSets, report))),
  );
  for (const set of ['trafilatura', 'wcxb-sample'] as const) {
    const known = loadPageSet(set).filter(({ authors }) => authors !== undefined).length;
    row(
      `${set}, ${known}`,
      'author exact / wrong / none',
      each((report) => authorScore(set, report)),
    );
  }
  for (const set of ['htmldate-mediacloud', 'trafilatura', 'wcxb-sample'] as const) {
    const known = loadPageSet(set).filter(({ date }) => date !== undefined).length;
    const note = set === 'htmldate-mediacloud' ? published.dates : '';
    row(
      `${set}, ${known}`,
      'day right / wrong / none, in UTC',
      each((report) => dateScore(set, report)),
      note,
    );
    const days = writtenDays(set);
    const dated = loadPageSet(set).filter(({ date }) => date !== undefined);
    const right = loadPageSet(set).filter(({ date }, at) => date !== undefined && date === days[at]);
    row(`${set}, ${known}`, 'day right as the page writes it', [three(right.length / dated.length), '', '']);
  }
  return rows.join('\n');
}

const titled = (set: PageSetName) => loadPageSet(set).filter(({ title }) => title !== undefined);

function titleShare(sets: readonly PageSetName[], report: ReaderReport): number {
  const judged = sets.flatMap((set) => pairs(set, report)).filter(([{ title }]) => title !== undefined);
  return mean(judged.map(([{ title = '' }, found]) => (sameTitle(title, found.title) ? 1 : 0)));
}

function authorScore(set: PageSetName, report: ReaderReport): string {
  const judged = pairs(set, report).filter(([{ authors }]) => authors !== undefined);
  const none = judged.filter(([, found]) => !found.author).length;
  const exact = judged.filter(([{ authors = [] }, found]) => sameAuthors(authors, found.author ?? '')).length;
  return [exact, judged.length - exact - none, none].map((count) => three(count / judged.length)).join(' / ');
}

function dateScore(set: PageSetName, report: ReaderReport): string {
  const judged = pairs(set, report).filter(([{ date }]) => date !== undefined);
  const days = judged.map(([{ date }, found]) => [date, utcDay(found.date)] as const);
  const right = days.filter(([truth, day]) => truth === day).length;
  const none = days.filter(([, day]) => day === null).length;
  return [right, days.length - right - none, none].map((count) => three(count / days.length)).join(' / ');
}

/** The day of a date that a library gives: in UTC where it has a time and a zone, else as it stands. */
function utcDay(date: string | null): string | null {
  if (date === null) return null;
  const whole = /^\d{4}-\d\d-\d\d$/.exec(date)?.[0];
  const at = Date.parse(
    /[Tt ]\d\d:\d\d/.test(date) && !/(?:[Zz]|[+-]\d\d:?\d\d)$/.test(date) ? `${date}Z` : date,
  );
  return whole ?? (Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10));
}

/** What reading all sets cost. */
export function costTable(reports: Reports): string {
  return [
    '| | pages a second of CPU | most memory, MB | pages failed |',
    '|---|---|---|---|',
    ...columns.map(([name, label]) => {
      const { pagesPerCpuSecond, peakMegabytes, failures } = reports[name];
      return `| ${label} | ${Math.round(pagesPerCpuSecond)} | ${Math.round(peakMegabytes)} | ${failures} |`;
    }),
  ].join('\n');
}
