/**
 * Characters that are invisible, reorder text or carry hidden text: controls, soft hyphen, bidirectional controls,
 * zero-width and filler characters, interlinear annotation, shorthand and musical controls, tag characters, the
 * variation selectors supplement.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: code points are looked for, not what they combine to
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Joiners have a meaning between letters of these scripts and inside emoji, and nowhere else. */
const strayJoiner =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: code points are looked for, not what they combine to
  /(?<![\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?=[\u200c\u200d\s]|$)/gu;

/** A variation selector chooses a form of the character before it. A sequence of them may hide bytes. */
const straySelector =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: code points are looked for, not what they combine to
  /(?<![^\sA-Za-z.,;:!?'"()\ufe00-\ufe0f])[\ufe00-\ufe0f]+|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+|(?<!\p{Script=Mongolian})[\u180b-\u180d\u180f]+/gu;

/** Each of them, and halves of those beyond the basic plane: one test without code points costs a fraction of a replacement. */
const mayBeInvisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: code units are looked for, not what they combine to
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud82f\ud834\udb40-\udb43\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]/;

/** Removes what no reader sees, so that a page cannot hide words or reverse text. */
export function stripInvisible(text: string): string {
  if (!mayBeInvisible.test(text)) return text;
  let visible = text.replace(invisible, '');
  if (/[\u200c\u200d]/.test(visible)) visible = visible.replace(strayJoiner, '');
  return /[\ufe00-\ufe0f\u180b-\u180f]/.test(visible) ? visible.replace(straySelector, '') : visible;
}
