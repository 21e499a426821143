import { basicPlane } from '../characters.ts';
import { signsAfterName } from './name-parts.ts';
import { ideographs } from './sentence-code.ts';
import { closers, singleStops, stops, wideClosers, wideStops } from './sentences.ts';

/** The classes of UTF-16 units that divide a text, as bits. */
export const whiteSpace = 1;
export const stop = 2;
export const singleStop = 4;
export const wideStop = 8;
export const anyStop = stop | singleStop | wideStop;
export const closer = 16;
export const wideCloser = 32;
export const smallLetter = 64;
export const ideograph = 128;
/** Begins what follows a name, of one unit or more. */
export const nameSign = 256;
/** Half of a character beyond the basic plane, which is in no other class. */
export const half = 512;

const rows: readonly (readonly [pattern: string, bit: number])[] = [
  ['\\s', whiteSpace],
  [stops, stop],
  [singleStops, singleStop],
  [wideStops, wideStop],
  [closers, closer],
  [wideClosers, wideCloser],
  ['\\p{Ll}', smallLetter],
  [ideographs, ideograph],
  [`${signsAfterName}:`, nameSign],
];

function buildClasses(): Uint16Array {
  const plane = basicPlane();
  const built = new Uint16Array(0x10000);
  for (const [pattern, bit] of rows) {
    for (const { 0: run, index } of plane.matchAll(new RegExp(`[${pattern}]+`, 'gu'))) {
      for (let unit = index; unit < index + run.length; unit++) built[unit] = (built[unit] as number) | bit;
    }
  }
  return built.fill(half, 0xd800, 0xe000);
}

let classes: Uint16Array | undefined;

/** The classes of every UTF-16 unit: 128 KB, built at the first call (a few milliseconds). */
export function unitClasses(): Uint16Array {
  classes ??= buildClasses();
  return classes;
}

/** Whether a unit is half of a character beyond the basic plane. */
export function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
