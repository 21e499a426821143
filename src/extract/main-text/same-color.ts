import type { Element } from './tree.ts';

const names: Readonly<Record<string, string>> = {
  white: '#ffffff',
  black: '#000000',
  red: '#ff0000',
  blue: '#0000ff',
  green: '#008000',
  yellow: '#ffff00',
  gray: '#808080',
  grey: '#808080',
};
const textColor = /(?:^|;)\s*color\s*:\s*([^;!]{1,40})/i;
const background = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]{1,40})/i;

/**
 * Whether text has the color of its background, when the markup itself sets both: by inline styles and the `color` and
 * `bgcolor` attributes of the element and its ancestors. Style sheets are not read.
 */
export function isInBackgroundColor(element: Element): boolean {
  const { style = '', color } = element.attributes;
  const text = colorOf(textColor.exec(style)?.[1] ?? (element.tag === 'font' ? color : undefined));
  if (text === undefined) return false;
  for (let current: Element | null = element; current !== null; current = current.parent) {
    const behind = background.exec(current.attributes.style ?? '')?.[1] ?? current.attributes.bgcolor;
    if (behind !== undefined) return colorOf(behind) === text;
  }
  return false;
}

/** `#rrggbb`, or undefined for a transparent or unknown color. */
function colorOf(value: string | undefined): string | undefined {
  const text = value?.trim().toLowerCase();
  if (text === undefined) return undefined;
  if (names[text] !== undefined) return names[text];
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(text);
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  if (/^#[\da-f]{6}$/.test(text)) return text;
  const rgb = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(text);
  return rgb
    ? `#${rgb
        .slice(1)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`
    : undefined;
}
