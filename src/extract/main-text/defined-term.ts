import { oneLine } from '../../text/line/one-line.ts';
import { type Element, textOf } from './tree.ts';

/** No name is longer, in UTF-16 units; a longer term is a sentence. */
const maxTermLength = 100;

/** Parameters, values and types follow the name that is defined. */
const afterName = /\s*[([=].*$/;

/**
 * The name that a `<dt>` defines, without parameters: `os.stat` of `os.stat(path)`. Only terms with an address of their
 * own count: others are labels of fields, `Parameters`, `Returns`. Undefined where there is none.
 */
export function definedTerm(element: Element): string | undefined {
  if (element.tag !== 'dt' || !hasAddress(element)) return undefined;
  const text = oneLine(textOf(element));
  const name = text.replace(afterName, '') || text;
  return name !== '' && name.length <= maxTermLength ? name : undefined;
}

/** Whether links lead to the element: by its id, or by an anchor in it. */
function hasAddress({ attributes, children }: Element): boolean {
  return (
    Boolean(attributes.id) ||
    children.some(
      (child) =>
        typeof child !== 'string' &&
        child.tag === 'a' &&
        Boolean(child.attributes.id || child.attributes.name),
    )
  );
}
