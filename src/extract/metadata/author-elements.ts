import type { Element } from '../main-text/tree.ts';

/** Words of a class, an id, `rel` or `itemprop` that say that the element names an author. */
const authorWords = new Set(
  `author authors byline bylines autor autoren autorin autorenzeile auteur auteurs autore autori autores verfasser writer writers
  columnist contributor contributors journalist redakteur redacteur forfatter skribent documentauthor zuozhe postedby`.split(
    /\s+/,
  ),
);
/** Words beside them that say that it is something else: how an author looks, what the author is, or wrote. */
const otherWords = new Set(
  `comment comments bio biography description desc about avatar image img photo picture social follow share twitter email role job
  position articles posts related more other others count caption button search filter list archive recommend popular similar
  notes note quote testimonial commenter reviews review has no`.split(/\s+/),
);

/** Every word for an author matches this. It is cheaper than taking the names apart. */
const mayName =
  /aut|byline|verfasser|writer|columnist|contributor|journalist|reda[ck]teur|forfatter|skribent|zuozhe|postedby/i;
/** Elements that hold more than a byline, whatever they are called. */
const wholes = new Set(['html', 'body', 'main', 'article', 'form', 'section', 'img', 'input']);
/** As long as `autor`. Most elements have no names at all. */
const minNamesLength = 5;

/**
 * A test of elements: whether their names, which are classes, id, `rel` and `itemprop`, say that they name an author. The
 * verdicts are kept by the text of the names.
 */
export function createAuthorTest(): (element: Element) => boolean {
  const verdicts = new Map<string, boolean>();
  const possible = new Map<string, boolean>();
  const mayBe = (names: string): boolean => {
    if (names.length < minNamesLength) return false;
    let verdict = possible.get(names);
    if (verdict === undefined) {
      verdict = mayName.test(names);
      possible.set(names, verdict);
    }
    return verdict;
  };
  return ({ tag, attributes }) => {
    if (tag === 'byline' || tag === 'author') return true;
    const { class: classes = '', id = '', rel = '', itemprop = '' } = attributes;
    const isPossible =
      mayBe(classes) ||
      (id !== '' && mayName.test(id)) ||
      (rel !== '' && mayName.test(rel)) ||
      (itemprop !== '' && mayName.test(itemprop));
    if (!isPossible || wholes.has(tag)) return false;
    const list = `${classes} ${id} ${rel} ${itemprop}`;
    let verdict = verdicts.get(list);
    if (verdict === undefined) {
      verdict = !/caption/i.test(list) && saysAuthor(list.slice(0, 500));
      verdicts.set(list, verdict);
    }
    return verdict;
  };
}

/** A name is judged by its own words: a block may be called `author` and `more-articles`. */
function saysAuthor(list: string): boolean {
  return list.split(/\s+/).some((name) => {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[^\p{L}]+/u);
    return words.some((word) => authorWords.has(word)) && !words.some((word) => otherWords.has(word));
  });
}
