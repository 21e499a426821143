import { decodeWindows1252 } from '../encoding/windows-1252.ts';

/** Windows code pages by the labels of the Encoding Standard. */
const labels: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1361: 'euc-kr',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  65001: 'utf-8',
};

/** Text in a Windows code page; an unknown one is read as windows-1252. */
export function decodeCodePage(bytes: Uint8Array, codePage: number): string {
  const label =
    labels[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252');
  return label === 'windows-1252' ? decodeWindows1252(bytes) : new TextDecoder(label).decode(bytes);
}

/** The code page of a font's character set, by its number in RTF and Word; undefined without one. */
export function codePageOfCharset(charset: number): number | undefined {
  return charsets[charset];
}

const charsets: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
