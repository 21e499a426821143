import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const folder = new URL('../../../shared/data/ir/', import.meta.url);

export interface JudgedSet {
  readonly name: string;
  readonly lang: string;
  readonly docs: readonly { id: string; title: string; text: string }[];
  readonly queries: readonly JudgedQuery[];
  /** Two or three words of each question that occur together in a relevant document, where the set has them. */
  readonly shortQueries: readonly JudgedQuery[];
}

export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  /** Document id to grade; greater is better, below 0 means: take the document out of the run before scoring. */
  readonly grades: ReadonlyMap<string, number>;
}

/** The judged sets of ../shared/data/ir; its README says where they come from. */
export const setNames = ['cranfield', 'xquad-en', 'xquad-zh', 'cmrc2018-zh', 'stard-zh-laws'] as const;

export function loadJudgedSet(name: string): JudgedSet {
  const path = (file: string): URL => new URL(`${name}/${file}`, folder);
  if (!existsSync(path('queries.jsonl')))
    throw new Error(`the judged set ${name} is not in ../shared/data/ir`);
  const lines = (file: string): string[] => {
    const text = existsSync(path(file))
      ? readFileSync(path(file), 'utf8')
      : existsSync(path(`${file}.gz`))
        ? gunzipSync(readFileSync(path(`${file}.gz`))).toString('utf8')
        : '';
    return text.split('\n').filter((line) => line !== '');
  };
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines('qrels.tsv')) {
    const [query = '', doc = '', grade = ''] = line.split('\t');
    const judged = grades.get(query) ?? new Map<string, number>();
    grades.set(query, judged.set(doc, Number(grade)));
  }
  const queries = (file: string): JudgedQuery[] =>
    lines(file)
      .map((line) => JSON.parse(line) as { id: string; text: string })
      .map(({ id, text }) => ({ id, text, grades: grades.get(id) ?? new Map() }));
  return {
    name,
    lang: (JSON.parse(lines('meta.json').join('')) as { lang: string }).lang,
    docs: lines('docs.jsonl').map((line) => JSON.parse(line)),
    queries: queries('queries.jsonl'),
    shortQueries: queries('queries_and.jsonl'),
  };
}
