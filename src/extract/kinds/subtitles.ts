import type { Kind } from './kind.ts';
import { htmlText, readingOfMarkup } from './markup-reading.ts';

const timing = /^\s*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->\s*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}/;
/** A cue that ends so ends a paragraph, once it has some sentences. */
const endOfSentence = /[.!?。！？…]["'”’)]?$/;
const minParagraph = 400;

/** Subtitles (WebVTT, SubRip): what is said, without times, in paragraphs. A line that the next cue repeats stands once. */
export const subtitles: Kind = {
  name: 'subtitles',
  mediaTypes: ['text/vtt', 'application/x-subrip'],
  endings: ['vtt', 'srt'],
  begins: ({ beginning }) =>
    /^WEBVTT(?:[ \t\r\n]|$)/.test(beginning) ||
    (/^\d+\r?\n/.test(beginning) && timing.test(beginning.split('\n')[1] ?? ''))
      ? 'yes'
      : 'no',
  read({ url, text }) {
    const lines = cueLines(text() ?? '');
    const paragraphs: string[] = [];
    let current = '';
    for (const line of lines) {
      current += `${current === '' ? '' : ' '}${line}`;
      if (current.length < minParagraph || !endOfSentence.test(line)) continue;
      paragraphs.push(current);
      current = '';
    }
    paragraphs.push(current);
    const html = paragraphs.map((paragraph) => `<p>${htmlText(paragraph)}</p>`).join('\n');
    return readingOfMarkup(html, { url });
  },
};

/** The lines of the cues; blocks without a time are notes, styles and regions. */
function cueLines(source: string): string[] {
  const said: string[] = [];
  for (const block of source.replace(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => timing.test(line));
    if (at < 0 || at > 1) continue;
    for (const line of lines.slice(at + 1)) {
      const speaker = /^<v(?:\.[\w.]*)?\s+([^>]{1,80})>/.exec(line)?.[1];
      const words = line.replace(/<[^>]{0,100}>|\{\\[^}]{0,100}\}/g, '').trim();
      const whole = speaker === undefined ? words : `${speaker}: ${words}`;
      if (words !== '' && said.at(-1) !== whole) said.push(whole);
    }
  }
  return said;
}
