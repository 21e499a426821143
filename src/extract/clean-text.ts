/**
 * Characters that show nothing, reorder text or carry hidden text: controls, soft hyphen, bidirectional controls,
 * zero-width and filler characters, interlinear annotation, tag characters, the variation selectors supplement.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: code points are looked for, not what they combine to
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Joiners mean something between letters of these scripts and inside emoji, and nothing anywhere else. */
const strayJoiner =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: code points are looked for, not what they combine to
  /(?<![\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?=[\u200c\u200d\s]|$)/gu;

/** Strips what no reader sees, so that a page cannot carry hidden words or turn text around. */
export function stripInvisible(text: string): string {
  const visible = text.replace(invisible, '');
  return /[\u200c\u200d]/.test(visible) ? visible.replace(strayJoiner, '') : visible;
}

/** One line: white space collapsed and trimmed, invisible characters gone. */
export function oneLine(text: string): string {
  return stripInvisible(text).replace(/\s+/g, ' ').trim();
}

/** Cuts at a word border if one is near, never inside a surrogate pair. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  const space = cut.lastIndexOf(' ');
  return (space > maxLength * 0.8 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '').trimEnd();
}

/** Letters and digits alone, in lower case: what two spellings of one title have in common. */
export function foldForComparison(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
