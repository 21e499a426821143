import { cpus } from 'node:os';
import type { Measured } from './measure.ts';
import type { BenchQuery } from './term-query.ts';

const labels: Readonly<Record<string, string>> = {
  gleaner: '**Gleaner**',
  'gleaner-as-typed': '**Gleaner, as typed**: stems, parsing',
  fts5: 'SQLite FTS5',
  minisearch: 'MiniSearch alone',
  flexsearch: 'FlexSearch, one field, no BM25',
  orama: 'Orama, one field',
  tantivy: 'Tantivy, four fields',
  'tantivy-one-field': 'Tantivy, one field',
};

const header = `| engine | pages packed a second | index MB | open ms (CPU) | memory MB (private) | plain: mean µs | p50 | p99 | operators: mean µs | p99 | same totals |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|`;

/** The table of one run, and a line for each engine that stopped. */
export function describeRun(all: readonly Measured[], queries: readonly BenchQuery[], pages: number): string {
  const reference = all.find(({ name }) => name === 'gleaner')?.totals;
  const rows = all.map((measured) => row(measured, queries, pages, reference));
  const failures = all
    .filter(({ failed }) => failed !== undefined)
    .map(({ name, failed }) => `${labels[name] ?? name} stopped: ${failed}.`);
  return [header, ...rows, ...(failures.length > 0 ? ['', ...failures] : [])].join('\n');
}

function row(
  measured: Measured,
  queries: readonly BenchQuery[],
  pages: number,
  reference: readonly number[] | undefined,
): string {
  const { name, built, fileBytes, opened, memory } = measured;
  const plain = timesOf(
    measured,
    queries.flatMap(({ plain }, at) => (plain ? [at] : [])),
  );
  const operators = timesOf(
    measured,
    queries.flatMap(({ plain }, at) => (plain ? [] : [at])),
  );
  const cells = [
    labels[name] ?? name,
    built ? rounded(pages / built.cpuSeconds) : '',
    fileBytes ? rounded(fileBytes / 1e6) : '',
    opened ? `${rounded(opened.openMs)} (${rounded(opened.openCpuMs)})` : '',
    memory ? `${rounded(memory.resident / 1e6)} (${rounded(memory.private / 1e6)})` : '',
    ...(plain ? [plain.mean, plain.p50, plain.p99].map(rounded) : ['', '', '']),
    ...(operators ? [operators.mean, operators.p99].map(rounded) : ['', '']),
    name === 'gleaner-as-typed' ? '' : agreement(measured, reference),
  ];
  return `| ${cells.join(' | ')} |`;
}

export interface Times {
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * CPU microseconds over the queries at these places. The mean is the median over passes of a pass's mean, so what
 * collecting garbage costs is in it; p50 and p99 are over the median of each query.
 */
export function timesOf({ passes }: Pick<Measured, 'passes'>, places: readonly number[]): Times | undefined {
  const chosen = passes.map((micros) => places.map((at) => micros[at] ?? Number.NaN));
  if (chosen.length === 0 || chosen[0]?.some(Number.isNaN) !== false || places.length === 0) return undefined;
  const mean = median(chosen.map((micros) => micros.reduce((sum, one) => sum + one, 0) / micros.length));
  const each = places.map((_, at) => median(chosen.map((micros) => micros[at] ?? 0))).sort((a, b) => a - b);
  return { mean, p50: quantile(each, 0.5), p99: quantile(each, 0.99) };
}

/** On how many queries an engine counts as many matches as ours, of those that it was asked. */
function agreement({ totals }: Measured, reference: readonly number[] | undefined): string {
  if (!totals || !reference) return '';
  const asked = totals.filter((total) => !Number.isNaN(total)).length;
  return `${totals.filter((total, at) => total === reference[at]).length} of ${asked}`;
}

function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Nearest rank over ascending values. */
function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.max(0, Math.ceil(share * ascending.length) - 1))] ?? 0;
}

/** Two or three figures that count, thousands apart. */
function rounded(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(0) : value.toFixed(1);
}

export function machine(): string {
  return `Node ${process.versions.node}, ${cpus().length} shared cores (${cpus()[0]?.model.trim() ?? process.arch})`;
}
