/** `text` with what stands between `<!-- mark -->` and `<!-- /mark -->` replaced; throws where the marks are missing. */
export function withBlock(text: string, mark: string, block: string): string {
  const between = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- /${mark} -->)`);
  if (!between.test(text)) throw new Error(`the marks of ${mark} are missing`);
  return text.replace(between, (_, begin: string, end: string) => `${begin}${block}\n${end}`);
}
