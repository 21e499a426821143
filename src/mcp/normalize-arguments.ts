import type { Tool } from '../../tools/tool.ts';

/**
 * A model's arguments as the tool's schema has them: other usual names and spellings of a parameter become its own
 * name, where that is not given itself; a list, or the text of one, becomes its words; `null` is an argument that is
 * not given. What the schema does not know stays, to be ignored.
 */
export function normalizeArguments(
  { input, otherNames = {} }: Pick<Tool, 'input' | 'otherNames'>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const args = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    const spelt = snakeCase(name);
    const known = Object.hasOwn(input.shape, spelt) ? spelt : (own(otherNames, spelt) ?? name);
    if (name === known || !args.has(known)) args.set(known, withoutList(value));
  }
  return Object.fromEntries(args);
}

/** `timeRange` and `time-range` for `time_range`. */
function snakeCase(name: string): string {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .toLowerCase();
}

function own(record: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function withoutList(value: unknown): unknown {
  const list = typeof value === 'string' && /^\s*\[.*\]\s*$/s.test(value) ? parsed(value) : value;
  return Array.isArray(list) && list.length > 0 && list.every(isScalar) ? list.join(' ') : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
