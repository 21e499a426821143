import type { Config } from '../../config/config.ts';

/** Sets text off on a terminal. Every function gives its text back unchanged where there is no colour. */
export interface Style {
  /** Whether anything is set off at all. */
  readonly isOn: boolean;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  /** A word that was looked for. It keeps the weight of the text around it. */
  readonly mark: (text: string) => string;
}

/** SGR parameters (ECMA-48 section 8.3.117): what begins and what ends it. */
const bold = [1, 22] as const;
const dim = [2, 22] as const;
const yellow = [33, 39] as const;

/** `auto` sets text off on a terminal alone; pipes and files get plain text. */
export function createStyle(color: Config['color'], stream: { readonly isTTY?: boolean }): Style {
  const isOn = color === 'always' || (color === 'auto' && stream.isTTY === true);
  const style =
    ([begin, end]: readonly [number, number]) =>
    (text: string) =>
      isOn && text !== '' ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
  return { isOn, bold: style(bold), dim: style(dim), mark: style(yellow) };
}
