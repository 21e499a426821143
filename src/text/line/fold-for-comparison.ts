import { isAscii } from '../fold.ts';

/** Runs of other characters but a single space, which is what they become. */
const asciiRuns = /[^a-z\d ][^a-z\d]*| [^a-z\d]+/g;
const runs = /[^\p{L}\p{N} ][^\p{L}\p{N}]*| [^\p{L}\p{N}]+/gu;

/** How two lines are compared: in small letters and normal form, with one space for each run of other characters. */
export function foldForComparison(text: string): string {
  // A reference page has hundreds of headings, and most are plain.
  if (isAscii(text)) return text.toLowerCase().replace(asciiRuns, ' ').trim();
  return text.normalize('NFKC').toLowerCase().replace(runs, ' ').trim();
}
