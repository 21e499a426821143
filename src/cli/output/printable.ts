import { visibleText } from '../../../tools/visible-text.ts';

/**
 * A text for a terminal, without the control and bidirectional characters by which a page, a file name or another
 * service could move the cursor, set colors or reorder words. Line breaks and tabs stay.
 */
export const printableText = visibleText;

/** The same on one line. */
export function printableLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, ' ');
}

/** JSON of the same value, with such characters escaped. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
