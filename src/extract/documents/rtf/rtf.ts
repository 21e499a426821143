import type { Reading } from '../../extracted.ts';
import { readingOf } from '../properties.ts';
import { createStructuredText } from '../structured-text.ts';
import { createRtfWriter } from './rtf-writer.ts';

/** A control word with its number, a hexadecimal byte, a control symbol, a brace, a line end, or a run of text. */
const token =
  /\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|([^a-zA-Z]))|([{}])|[\r\n]+|([^\\{}\r\n]{1,4096})/g;
const sliceBytes = 1024 * 1024;

/**
 * Reads Rich Text Format (version 1.9.1) in one pass over its tokens: paragraphs, items, rows and headings by style, text
 * in the code pages of its fonts and in Unicode, without headers, footers, comments, pictures and hidden text.
 */
export function readRtf(bytes: Uint8Array, page: { readonly url: string; readonly now: number }): Reading {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const text = createStructuredText();
  const writer = createRtfWriter(text);
  let sinceCheck = 0;
  token.lastIndex = 0;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [all, word, number, hex, symbol, brace, plain] = match;
    if (word === 'bin') {
      token.lastIndex += Math.max(0, Number(number ?? 0));
      continue;
    }
    if (word !== undefined) writer.word(word, number === undefined ? undefined : Number(number));
    else if (hex !== undefined) writer.byte(Number.parseInt(hex, 16));
    else if (symbol !== undefined) writer.symbol(symbol);
    else if (brace === '{') writer.open();
    else if (brace === '}') writer.close();
    else if (plain !== undefined) writer.text(plain);
    sinceCheck += all.length;
    if (sinceCheck > sliceBytes) {
      if (text.isFull()) break;
      sinceCheck = 0;
    }
  }
  const properties = writer.finish();
  return readingOf(text.finish(), properties, { ...page, fileType: 'rtf' });
}
