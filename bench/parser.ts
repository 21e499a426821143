import { parseQuery } from '../src/query/parser.ts';

/** The longest query that the contract takes, in code points. */
const longestQuery = 512;
const samples = 1000;
const warmUp = 1000;
const growthSizes = [1000, 4000, 16_000, 64_000] as const;

const words = 'how do I install the python package in windows without an account and then run it '.split(' ');
const han = [...'数据库优化的搜索引擎是什么时候开始的三体王小二𠮷'];
const kana = [...'ひらがなとカタカナをどうすれば学べますか'];
const hangul = [...'파이썬을설치하는방법은무엇인가요'];
const thai = [...'การเขียนโปรแกรมภาษาไทย'];

/** A query of a given number of code points, made of one repeated text. */
function repeated(...parts: readonly string[]): (length: number) => string {
  return (length) => {
    const characters = [...parts.join('')];
    return Array.from({ length }, (_, place) => characters[place % characters.length]).join('');
  };
}

function nested(open: string): (length: number) => string {
  return (length) => {
    const depth = Math.floor((length - 1) / (open.length + 1));
    return `${open.repeat(depth)}a${')'.repeat(depth)}`;
  };
}

/** What could be slow: much syntax, much to look up, long words, texts without spaces, characters that fold. */
const kinds: Readonly<Record<string, (length: number) => string>> = {
  'a question': repeated(words.join(' ')),
  'one-letter words': repeated('a '),
  quotes: repeated('"'),
  phrases: repeated('"a b" '),
  'open brackets': repeated('('),
  'nested groups': nested('('),
  'negated groups': nested('-('),
  'flat groups': repeated('(a) '),
  'OR of words': repeated('a OR '),
  bars: repeated('|'),
  signs: repeated('-'),
  exclusions: repeated('-a '),
  'empty operators': repeated('site: '),
  'operators run together': repeated('site:'),
  'sites in other alphabets': repeated('site:bücher.例え.jp '),
  'one long site': (length) => `site:${repeated('ü.')(length - 5)}`,
  titles: repeated('intitle:ab '),
  'dots and letters': repeated('a.'),
  'digits and dots': repeated('1.'),
  underscores: repeated('_'),
  'capitals in a word': repeated('aB'),
  'a run of Han': repeated(...han),
  'Han with spaces': repeated(...han.map((character) => `${character} `)),
  'a run of kana': repeated(...kana),
  'a run of hangul': repeated(...hangul),
  'a run of Thai': repeated(...thai),
  'accents on one letter': (length) => `a${'\u0301'.repeat(length - 1)}`,
  ligatures: repeated('ﷺ'),
  emoji: repeated('👨‍👩‍👧🇫🇷'),
  'halves of pairs': repeated('\ud800 '),
  'right-to-left marks': repeated('\u200f'),
  'zero characters': repeated('\0'),
};

/** Microseconds of CPU (user and system, garbage collection included) of one reading. */
function cpuOf(query: string): number {
  const before = process.cpuUsage();
  parseQuery(query);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function measure(query: string, count: number): number[] {
  return Array.from({ length: count }, () => cpuOf(query)).sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/**
 * How long does the longest query take to read, and does the time grow with its length alone? Per kind: median and
 * 99th percentile at 512 code points, then nanoseconds per code point at greater lengths, which must not grow.
 */
export async function main(): Promise<void> {
  console.log(
    `| ${longestQuery} code points of | median µs | p99 µs | ${growthSizes.map((size) => `ns each of ${size}`).join(' | ')} |`,
  );
  console.log(`|---|${'---:|'.repeat(2 + growthSizes.length)}`);
  let worst = 0;
  for (const make of Object.values(kinds)) measure(make(longestQuery), warmUp);
  for (const [kind, make] of Object.entries(kinds)) {
    const query = make(longestQuery);
    const times = measure(query, samples);
    worst = Math.max(worst, quantile(times, 0.99));
    const growth = growthSizes.map((size) => {
      const long = measure(make(size), 9);
      return ((quantile(long, 0.5) * 1000) / size).toFixed(0);
    });
    console.log(`| ${kind} | ${quantile(times, 0.5)} | ${quantile(times, 0.99)} | ${growth.join(' | ')} |`);
  }
  console.log(`\nworst p99: ${worst} µs`);
}
