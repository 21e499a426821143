/** One place of a page where its scripts find what they draw. */
export interface PageState {
  /** As people know it, e.g. `__NEXT_DATA__`. */
  readonly name: string;
  readonly value: unknown;
}

const maxStateLength = 4_000_000;
const jsonScript = /\btype\s*=\s*["']?application\/json\b/i;
const knownId = /\bid\s*=\s*["']?(__NEXT_DATA__|__NUXT_DATA__|[\w$-]+)/i;
const assignment =
  /(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["'])(__[\w$]+)(?:["']\s*\])?\s*=(?!=)\s*|(__remixContext|__reactRouterContext)\.streamController\.enqueue\(\s*/g;

/** Everything in the scripts of a page that is data for its scripts, in the order of the page. In time linear in the page. */
export function statesOf(html: string): PageState[] {
  const states: PageState[] = [];
  for (const { attributes, text } of scriptsOf(html)) {
    if (text.length > maxStateLength || /\bsrc\s*=/i.test(attributes)) continue;
    if (jsonScript.test(attributes)) {
      const value = parsed(text);
      const name = knownId.exec(attributes)?.[1] ?? nameless(attributes);
      if (value !== undefined) states.push({ name, value: ofScript(name, value) });
    } else states.push(...assignedIn(text));
  }
  return states;
}

function nameless(attributes: string): string {
  return /data-sveltekit-fetched/i.test(attributes) ? 'SvelteKit data' : 'application/json';
}

/** The part of a script's value that is the page: not the settings of its framework. */
function ofScript(name: string, value: unknown): unknown {
  if (name === '__NEXT_DATA__') return property(property(value, 'props'), 'pageProps');
  if (name === 'SvelteKit data') return parsed(String(property(value, 'body') ?? ''));
  return isFlat(value) ? unflatten(value) : value;
}

/** Scripts as they stand; one that does not end is left out with what follows. */
function* scriptsOf(html: string): Generator<{ attributes: string; text: string }> {
  const opening = /<script\b([^>]*)>/gi;
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const start = opening.lastIndex;
    const closing = /<\/script/gi;
    closing.lastIndex = start;
    const end = closing.exec(html)?.index;
    if (end === undefined) return;
    yield { attributes: match[1] ?? '', text: html.slice(start, end) };
    opening.lastIndex = end;
  }
}

function assignedIn(script: string): PageState[] {
  const states: PageState[] = [];
  assignment.lastIndex = 0;
  for (let match = assignment.exec(script); match !== null; match = assignment.exec(script)) {
    const name = match[1] ?? match[2] ?? '';
    const end = endOfValue(script, assignment.lastIndex);
    const source = script.slice(assignment.lastIndex, end);
    assignment.lastIndex = end;
    const value = parsed(source);
    if (typeof value === 'string') {
      const streamed = parsed(value.split('\n', 1)[0] ?? '');
      if (isFlat(streamed)) states.push({ name, value: unflatten(streamed) });
    } else if (value !== undefined) states.push({ name, value });
    else if (/^[({]|^function/.test(source)) states.push({ name, value: stringsIn(source) });
  }
  return states;
}

/** Where the expression that begins at an offset ends: its brackets are closed, or its string is. */
function endOfValue(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const char = source[at] as string;
    if (char === '"' || char === "'" || char === '`') {
      at = endOfString(source, at);
      if (depth === 0) return Math.min(at + 1, source.length);
    } else if (char === '{' || char === '[' || char === '(') depth += 1;
    else if (char === '}' || char === ']' || char === ')') {
      depth -= 1;
      if (depth < 0) return at;
      if (depth === 0 && source[at + 1] !== '(') return at + 1;
    } else if (depth === 0 && (char === ';' || char === '\n')) return at;
  }
  return source.length;
}

/** The offset of the quotation mark that ends the string that begins at `start`. */
function endOfString(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === source[start]) return at;
  }
  return source.length;
}

/** The strings of an expression that is no JSON, such as the function call of Nuxt 2: it is read, never run. */
function stringsIn(source: string): string[] {
  const strings: string[] = [];
  for (let at = source.indexOf('"'); at >= 0; at = source.indexOf('"', at)) {
    const end = endOfString(source, at);
    const value = parsed(source.slice(at, end + 1));
    if (typeof value === 'string') strings.push(value);
    at = end + 1;
  }
  return strings;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The form of devalue (`__NUXT_DATA__`) and turbo-stream (React Router): a list whose values name each other by index. */
function isFlat(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    typeof value[0] === 'object' &&
    value[0] !== null &&
    Object.values(value[0]).every((item) => Number.isInteger(item) || typeof item === 'string')
  );
}

const maxFlatNesting = 200;

/** The value that a flat list stands for. What is named twice is one object; a circle is possible. */
function unflatten(list: readonly unknown[]): unknown {
  const known = new Map<number, unknown>();
  const at = (index: unknown, nesting: number): unknown => {
    if (typeof index !== 'number' || index < 0 || nesting > maxFlatNesting) return undefined;
    if (known.has(index)) return known.get(index);
    const item = list[index];
    if (typeof item !== 'object' || item === null) return item;
    return Array.isArray(item) ? listAt(index, item, nesting) : objectAt(index, item, nesting);
  };
  /** A list that begins with a name is a typed value: a reference, a date, a set. */
  const listAt = (index: number, item: readonly unknown[], nesting: number): unknown[] => {
    const filled: unknown[] = [];
    known.set(index, filled);
    for (const inner of item) filled.push(at(inner, nesting + 1));
    return filled;
  };
  const objectAt = (index: number, item: object, nesting: number): object => {
    const filled: Record<string, unknown> = Object.create(null);
    known.set(index, filled);
    for (const [key, inner] of Object.entries(item)) {
      const name = /^_\d+$/.test(key) ? list[Number(key.slice(1))] : key;
      if (typeof name === 'string') filled[name] = at(inner, nesting + 1);
    }
    return filled;
  };
  return at(0, 0);
}

/** The properties of an island of Astro: every value is a pair of its type and itself. */
export function unpackIsland(value: unknown, nesting = 0): unknown {
  if (nesting > 100) return undefined;
  if (Array.isArray(value) && value.length === 2 && typeof value[0] === 'number') {
    const [, inner] = value;
    return Array.isArray(inner)
      ? inner.map((item) => unpackIsland(item, nesting + 1))
      : unpackIsland(inner, nesting + 1);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, unpackIsland(inner, nesting + 1)]),
  );
}
