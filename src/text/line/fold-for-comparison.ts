/** Letters and digits alone, in lower case: what two spellings of one title have in common. */
export function foldForComparison(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
