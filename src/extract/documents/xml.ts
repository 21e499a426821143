import { Parser } from 'htmlparser2';
import { decodeWindows1252 } from '../encoding/windows-1252.ts';
import { RefusedDocument } from './refused.ts';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandlers {
  /** Names are without namespace prefix; attributes keep theirs. */
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
  /** Called between pieces of 32 KB; true ends the walk. */
  done?(): boolean;
}

const pieceLength = 32 * 1024;
/** htmlparser2 copies its whole stack at every tag. */
const maxDepth = 1000;

/**
 * Walks over XML in one pass and tolerates errors. Declarations are not read, so entities of a DTD are never expanded.
 * Throws `RefusedDocument` (damaged file) when elements nest deeper than `maxDepth`.
 */
export function walkXml(xml: string, { open, close, text, done }: XmlHandlers): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > maxDepth) throw new RefusedDocument('damaged file');
        open?.(localName(name), attributes);
      },
      onclosetag(name) {
        depth--;
        close?.(localName(name));
      },
      ontext: (piece) => text?.(piece),
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let start = 0; start < xml.length && !done?.(); start += pieceLength)
    parser.write(xml.slice(start, start + pieceLength));
  parser.end();
}

/** An attribute by its name without the prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  for (const key in attributes) if (localName(key) === name) return attributes[key];
  return undefined;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** XML as text: by its byte order mark, its declaration, or UTF-8, in this order (XML 1.0, appendix F). */
export function decodeXml(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)/.exec(start)?.[1] ?? 'utf-8';
  try {
    const decoder = new TextDecoder(declared);
    return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
