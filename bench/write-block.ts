import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces what stands between `<!-- mark -->` and `<!-- /mark -->` in a file of the clone; throws without them. */
export function writeBlock(file: string, mark: string, block: string): void {
  const path = new URL(`../../${file}`, import.meta.url);
  const text = readFileSync(path, 'utf8');
  const marked = new RegExp(`(<!-- ${mark} -->\\n)[^]*?(<!-- /${mark} -->)`);
  if (!marked.test(text)) throw new Error(`${file} has no block ${mark}`);
  writeFileSync(
    path,
    text.replace(marked, (_, begin: string, end: string) => `${begin}${block}\n${end}`),
  );
}

/** What stands between the marks now; throws without them. */
export function readBlock(file: string, mark: string): string {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const block = new RegExp(`<!-- ${mark} -->\\n([^]*?)<!-- /${mark} -->`).exec(text)?.[1];
  if (block === undefined) throw new Error(`${file} has no block ${mark}`);
  return block;
}
