import type { Reading } from '../extracted.ts';
import { asciidoc } from './asciidoc.ts';
import { docbook } from './docbook.ts';
import { feed } from './feed.ts';
import type { Kind, KindFile } from './kind.ts';
import { mail } from './mail.ts';
import { manPage } from './man-page.ts';
import { mhtml } from './mhtml.ts';
import { notebook } from './notebook.ts';
import { openApi } from './openapi.ts';
import { restructuredText } from './restructured-text.ts';
import { sourceCode } from './source-code.ts';
import { subtitles } from './subtitles.ts';

/** Every kind; the first that takes a file reads it. */
export const kinds: readonly Kind[] = [
  mhtml,
  mail,
  notebook,
  openApi,
  docbook,
  feed,
  subtitles,
  manPage,
  restructuredText,
  asciidoc,
  sourceCode,
];

/** Media types that say nothing of the kind. */
const plain =
  /^(?:|text\/plain|application\/octet-stream|binary\/octet-stream|application\/(?:json|xml)|text\/xml)$/;
const beginningBytes = 4096;

/** The first reading by a kind that takes the file; undefined for pages, plain text and everything else. */
export function readKind(
  file: Omit<KindFile, 'mediaType' | 'ending' | 'beginning'> & { readonly contentType: string | null },
): Reading | undefined {
  const mediaType = (file.contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const whole: KindFile = {
    ...file,
    mediaType,
    ending: /\.([a-z0-9]{1,10})$/i.exec(file.url.split(/[?#]/, 1)[0] ?? '')?.[1]?.toLowerCase() ?? '',
    beginning: Buffer.from(file.bytes.subarray(0, beginningBytes))
      .toString('latin1')
      .replace(/^\u00ef\u00bb\u00bf/, '')
      .trimStart(),
  };
  for (const kind of kinds) {
    const reading = takes(kind, whole) ? kind.read(whole) : null;
    if (reading !== null) return reading;
  }
  return undefined;
}

function takes({ mediaTypes, endings, begins = () => 'maybe' }: Kind, file: KindFile): boolean {
  if (!mediaTypes.includes(file.mediaType) && !plain.test(file.mediaType)) return false;
  const agrees = begins(file);
  if (agrees === 'no') return false;
  return agrees === 'yes' || mediaTypes.includes(file.mediaType) || endings.includes(file.ending);
}

/** The endings of files that a kind reads. */
export const kindEndings: readonly string[] = kinds.flatMap(({ endings }) => endings);
