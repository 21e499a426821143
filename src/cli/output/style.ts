import type { Config } from '../../config/config.ts';

/** Highlights text on a terminal. Without colors, every function returns its text unchanged. */
export interface Style {
  /** Whether text is highlighted at all. */
  readonly isOn: boolean;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  /** A word of the query. It keeps the weight of the text around it. */
  readonly mark: (text: string) => string;
}

/** SGR parameters (ECMA-48 section 8.3.117): begin and end. */
const bold = [1, 22] as const;
const dim = [2, 22] as const;
const yellow = [33, 39] as const;

/** `auto` highlights on a terminal only; pipes and files get plain text. */
export function createStyle(color: Config['color'], stream: { readonly isTTY?: boolean }): Style {
  const isOn = color === 'always' || (color === 'auto' && stream.isTTY === true);
  const style =
    ([begin, end]: readonly [number, number]) =>
    (text: string) =>
      isOn && text !== '' ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
  return { isOn, bold: style(bold), dim: style(dim), mark: style(yellow) };
}
