import type { Tool } from '../../tools/tool.ts';

/**
 * Normalizes a model's arguments for the tool's schema. Alternative names and spellings of a parameter become its own name,
 * unless that is given as well. A list, or a list as JSON text, becomes its words. `null` counts as absent. Unknown
 * arguments are kept, and the parser ignores them.
 */
export function normalizeArguments(
  {
    input,
    otherNames = {},
    understand = (args) => ({ ...args }),
  }: Pick<Tool, 'input' | 'otherNames' | 'understand'>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const args = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    const snakeName = snakeCase(name);
    const parameter = Object.hasOwn(input.shape, snakeName)
      ? snakeName
      : (ownValue(otherNames, snakeName) ?? name);
    if (name === parameter || !args.has(parameter)) args.set(parameter, withoutList(value));
  }
  return understand(Object.fromEntries(args));
}

/** `timeRange` and `time-range` for `time_range`. */
function snakeCase(name: string): string {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .toLowerCase();
}

function ownValue(record: Readonly<Record<string, string>>, name: string): string | undefined {
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
