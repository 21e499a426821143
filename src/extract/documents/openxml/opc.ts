import { parseDate } from '../../metadata/dates.ts';
import type { Properties } from '../properties.ts';
import { attribute, decodeXml, walkXml } from '../xml.ts';
import type { ZipArchive } from '../zip.ts';

export interface Relationship {
  readonly id: string;
  /** The last part of the type's URI, such as `slide`. */
  readonly type: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/** A part of an Office Open XML package (ECMA-376 part 2) as text; empty when it is missing. */
export function partText(zip: ZipArchive, name: string): string {
  const bytes = zip.read(name);
  return bytes === undefined ? '' : decodeXml(bytes);
}

/** The references of a part within the package, in the order of its relationships. `''` is the package itself. */
export function relationshipsOf(zip: ZipArchive, part: string): Relationship[] {
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const relationships: Relationship[] = [];
  walkXml(partText(zip, `${folder}_rels/${part.slice(slash + 1)}.rels`), {
    open(name, attributes) {
      const { Id: id, Type: type = '', Target: target, TargetMode: mode } = attributes;
      if (name !== 'Relationship' || id === undefined || target === undefined || mode === 'External') return;
      relationships.push({
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        target: resolvePart(folder, target),
      });
    },
  });
  return relationships;
}

/** The package's main part, by its relationships. */
export function mainPart(zip: ZipArchive): string | undefined {
  return relationshipsOf(zip, '').find(({ type }) => type === 'officeDocument')?.target;
}

function resolvePart(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').slice(0, -1);
  for (const part of target.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** The core properties (ECMA-376 part 2, section 11), in the part that the package's relationships name. */
export function coreProperties(zip: ZipArchive): Properties {
  const part = relationshipsOf(zip, '').find(({ type }) => type === 'core-properties')?.target;
  const fields = simpleFields(partText(zip, part ?? 'docProps/core.xml'));
  return {
    title: fields.get('title'),
    author: fields.get('creator'),
    description: fields.get('description') ?? fields.get('subject'),
    lang: fields.get('language'),
    created: parseDate(fields.get('created') ?? ''),
    modified: parseDate(fields.get('modified') ?? ''),
  };
}

/** The text of elements without children, by local name, the first of each. */
export function simpleFields(xml: string): Map<string, string> {
  const fields = new Map<string, string>();
  let text = '';
  walkXml(xml, {
    open: () => {
      text = '';
    },
    text: (piece) => {
      text += piece;
    },
    close: (name) => {
      if (text.trim() !== '' && !fields.has(name)) fields.set(name, text.trim());
      text = '';
    },
  });
  return fields;
}

/** Paragraphs of DrawingML in a part: the text of a diagram, a chart or a text box. */
export function drawingParagraphs(xml: string): string[] {
  const texts: string[] = [];
  let paragraph = '';
  let inText = false;
  walkXml(xml, {
    open: (name) => {
      if (name === 't') inText = true;
      else if (name === 'br') paragraph += ' ';
    },
    text: (piece) => {
      if (inText) paragraph += piece;
    },
    close: (name) => {
      if (name === 't') inText = false;
      if (name !== 'p') return;
      if (paragraph.trim() !== '') texts.push(paragraph);
      paragraph = '';
    },
  });
  return texts;
}

/** False for an element such as `<w:vanish w:val="0"/>`. */
export function isOn(attributes: Readonly<Record<string, string>>): boolean {
  return !/^(?:0|false|off)$/.test(attribute(attributes, 'val') ?? '');
}
