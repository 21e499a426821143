import { isAscii } from '../fold.ts';

/** How two lines are compared: in small letters and normal form, with one space for each run of other characters. */
export function foldForComparison(text: string): string {
  // A reference page has hundreds of headings, and most are plain.
  if (isAscii(text))
    return text
      .toLowerCase()
      .replace(/[^a-z\d]+/g, ' ')
      .trim();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
