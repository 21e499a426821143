import { isAscii, isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { declaredEncoding } from './declared-encoding.ts';
import { decodeWindows1252 } from './windows-1252.ts';
import { contradicts, isChineseGb } from './wrong-label.ts';

export type DecodedText =
  | { readonly kind: 'text'; readonly text: string; readonly encoding: string }
  | { readonly kind: 'undecodable' };

/** Enough for chardet to distinguish Shift_JIS from EUC-JP; it is slow on more. */
const detectionBytes = 64 * 1024;
/** Begins ISO-2022-JP's shifts, in bytes that are ASCII otherwise. */
const escapeByte = 0x1b;
const replacement = '\ufffd';

/**
 * Bytes to text. What is declared (BOM, then Content-Type, then `<meta>`; HTML Standard, encoding sniffing algorithm)
 * is used unless the bytes contradict it: valid or nearly valid UTF-8 with multi-byte characters beats a declared legacy
 * encoding, because text in one is almost never valid UTF-8; so does an encoding that is clearly more likely. Without a
 * declaration, the encoding is detected. Text with many replacement characters or NULs is `undecodable`.
 */
export function decode(bytes: Uint8Array, contentType: string | null): DecodedText {
  const highByte = isAscii(bytes) ? -1 : firstHighByte(bytes);
  const isWhollyUtf8 = highByte >= 0 && isUtf8(bytes);
  // No encoding has a NUL without a byte of zeros.
  const hasNullByte = bytes.includes(0);
  for (const encoding of candidates(bytes, contentType, { highByte, isWhollyUtf8 })) {
    const text = decodeAs(bytes, encoding);
    if (text === undefined || (hasNullByte && hasNuls(text))) continue;
    if ((isWhollyUtf8 && encoding === 'utf-8') || !isMojibake(text)) return { kind: 'text', text, encoding };
  }
  return { kind: 'undecodable' };
}

function firstHighByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] as number) < 0x80) at++;
  return at;
}

/** Encodings in the order in which they are tried; lazy, because detection is slow. */
function* candidates(
  bytes: Uint8Array,
  contentType: string | null,
  { highByte, isWhollyUtf8 }: { readonly highByte: number; readonly isWhollyUtf8: boolean },
): Generator<string> {
  if (hasByteOrderMark(bytes)) yield declaredEncoding(bytes);
  const wide = guessUtf16(bytes);
  if (wide !== undefined) yield wide;
  const header = charsetOf(contentType);
  const declared = declaredEncoding(bytes, header);
  const meta = header === undefined ? declared : declaredEncoding(bytes);
  // With only these bytes beyond ASCII, a declaration is no evidence.
  if (isWhollyUtf8 || (highByte >= 0 && declared !== 'utf-8' && declared !== '')) yield 'utf-8';
  for (const label of new Set([declared, meta])) {
    if (label === '') continue;
    const likelier =
      highByte < 0 || label.startsWith('utf-') ? undefined : contradicts(bytes, label, highByte);
    yield likelier ?? label;
  }
  const detected = detect(bytes, highByte);
  if (detected !== undefined) yield detected;
  yield 'windows-1252';
}

function hasByteOrderMark(bytes: Uint8Array): boolean {
  const [a, b, c] = bytes;
  return (a === 0xef && b === 0xbb && c === 0xbf) || (a === 0xfe && b === 0xff) || (a === 0xff && b === 0xfe);
}

/** UTF-16 without a BOM: markup is ASCII, so every other byte is zero. */
function guessUtf16(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, 1024) & ~1;
  if (length < 16) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  if (odd > length * 0.35 && even < length * 0.05) return 'utf-16le';
  if (even > length * 0.35 && odd < length * 0.05) return 'utf-16be';
  return undefined;
}

function charsetOf(contentType: string | null): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType ?? '')?.[1];
}

function detect(bytes: Uint8Array, highByte: number): string | undefined {
  if (highByte < 0 && !bytes.subarray(0, detectionBytes).includes(escapeByte)) return undefined;
  const from = Math.max(highByte, 0);
  const sample = bytes.subarray(from, from + detectionBytes);
  if (isChineseGb(sample)) return 'gb18030';
  const name = chardet.detect(sample);
  return name === null || name.startsWith('UTF-32') ? undefined : name;
}

function decodeAs(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding);
    return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function hasNuls(text: string): boolean {
  const nuls = count(text, '\0');
  return nuls > 8 && nuls > text.length / 1000;
}

/**
 * A few broken bytes come from a cut or a comment in another encoding; a twentieth of the bytes beyond ASCII, or half of
 * them if there are few, mean the wrong encoding.
 */
function isMojibake(text: string): boolean {
  const broken = count(text, replacement);
  if (broken === 0) return false;
  let beyondAscii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) beyondAscii++;
  return broken > beyondAscii / (broken > 8 ? 20 : 2);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}
