import type { Reading } from '../../extracted.ts';
import { readingOf } from '../properties.ts';
import { createStructuredText } from '../structured-text.ts';
import { attribute, walkXml } from '../xml.ts';
import type { ZipArchive } from '../zip.ts';
import { writeFigures } from './chart.ts';
import { coreProperties, mainPart, partText, relationshipsOf } from './opc.ts';
import { writeSlide } from './slide-text.ts';

/**
 * Reads a presentation package (ECMA-376 part 1, 19): its slides in the order of the show, each with its title, its shapes,
 * diagrams and charts, and the speaker's notes, without hidden slides, masters and comments.
 */
export function readPptx(zip: ZipArchive, page: { readonly url: string; readonly now: number }): Reading {
  const part = mainPart(zip) ?? 'ppt/presentation.xml';
  const targets = new Map(relationshipsOf(zip, part).map(({ id, target }) => [id, target]));
  const text = createStructuredText();
  let shownTitle: string | undefined;
  for (const id of slideIds(partText(zip, part))) {
    const slide = targets.get(id);
    if (slide === undefined || text.isFull()) continue;
    const title = writeSlide(partText(zip, slide), text);
    shownTitle ??= title;
    const related = relationshipsOf(zip, slide);
    writeFigures(zip, related, text);
    const notes = related.find(({ type }) => type === 'notesSlide')?.target;
    if (notes !== undefined) writeSlide(partText(zip, notes), text, true);
  }
  return readingOf(text.finish(), coreProperties(zip), { ...page, fileType: 'pptx', shownTitle });
}

function slideIds(xml: string): string[] {
  const ids: string[] = [];
  walkXml(xml, {
    open(name, attributes) {
      const id = name === 'sldId' ? relationshipId(attributes) : undefined;
      if (id !== undefined) ids.push(id);
    },
  });
  return [...new Set(ids)];
}

/** `r:id`, with any prefix of the namespace: the plain `id` of the element is another number. */
function relationshipId(attributes: Readonly<Record<string, string>>): string | undefined {
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'));
  return key === undefined ? attribute(attributes, 'id') : attributes[key];
}
