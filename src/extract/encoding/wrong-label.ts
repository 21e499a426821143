import chardet from 'chardet';

/** Enough for chardet to distinguish encodings; it is slow on more. */
const sampleBytes = 16 * 1024;
const latin = /^(?:iso-8859-(?:1|2|3|4|9|10|13|14|15|16)|windows-125[0247]|macintosh)$/;
/** chardet's names where they differ from those of the Encoding Standard. */
const standardNames: Readonly<Record<string, string>> = {
  gb18030: 'gbk',
  'iso-8859-1': 'windows-1252',
  'iso-8859-9': 'windows-1254',
};
/** In Latin text most letters beyond ASCII are single; in other scripts they form words. */
const minPaired = 0.6;
const minConfidence = 20;
/** Minimum advantage of another encoding over one of a script that is not Latin. */
const clearlyMore = 35;

/**
 * The encoding of text that is not UTF-8, when its bytes clearly contradict the declared one; otherwise undefined. `from`
 * is the offset of the first byte beyond ASCII.
 */
export function contradicts(bytes: Uint8Array, declared: string, from: number): string | undefined {
  const sample = bytes.subarray(from, from + sampleBytes);
  if (standardName(declared) === 'gbk' && isChineseGb(sample)) return undefined;
  const isLatin = latin.test(declared);
  if (isLatin && pairedShare(sample) < minPaired) return undefined;
  const ranked = chardet
    .analyse(sample)
    .map(({ name, confidence }) => ({ name: standardName(name), confidence }))
    .filter(({ name }) => !/^utf-|^ascii$/.test(name));
  const best = ranked[0];
  if (best === undefined || best.name === standardName(declared)) return undefined;
  const own = ranked.find(({ name }) => name === standardName(declared))?.confidence ?? 0;
  if (isLatin) return !latin.test(best.name) && best.confidence >= minConfidence ? best.name : undefined;
  return best.confidence >= own + clearlyMore ? best.name : undefined;
}

function standardName(name: string): string {
  const lower = name.toLowerCase();
  return standardNames[lower] ?? lower;
}

/** Shares of pairs of bytes, in text that is surely Chinese in GB 2312: the common characters, and those that no Korean text has. */
const minCommon = 0.6;
const minTelling = 0.12;
const minPairs = 60;

/**
 * Whether bytes are Chinese in GB 2312 or its extensions, by their pairs: the 3,755 common characters begin with 0xB0 to 0xD7,
 * those from 0xC9 on are hardly ever in Korean (EUC-KR), kana (EUC-JP) begin with 0xA4 and 0xA5, and half of the second bytes
 * of Big5 and Shift_JIS are ASCII. A tenth of the time of detection.
 */
export function isChineseGb(bytes: Uint8Array): boolean {
  let [pairs, common, telling] = [0, 0, 0];
  for (let index = 0; index < bytes.length - 1; index++) {
    const lead = bytes[index] as number;
    if (lead < 0x81) continue;
    const trail = bytes[++index] as number;
    pairs++;
    if (trail < 0xa1) continue;
    if (lead >= 0xb0 && lead <= 0xd7) common++;
    if (lead >= 0xc9 && lead <= 0xd7) telling++;
  }
  return pairs >= minPairs && common > pairs * minCommon && telling > pairs * minTelling;
}

/** Share of the bytes beyond ASCII with an adjacent byte beyond ASCII. */
function pairedShare(bytes: Uint8Array): number {
  let high = 0;
  let paired = 0;
  for (let index = 0; index < bytes.length; index++) {
    if ((bytes[index] as number) < 0x80) continue;
    high++;
    if ((bytes[index - 1] ?? 0) >= 0x80 || (bytes[index + 1] ?? 0) >= 0x80) paired++;
  }
  return high === 0 ? 0 : paired / high;
}
