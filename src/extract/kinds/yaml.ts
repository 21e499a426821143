import { createRequire } from 'node:module';
import { isObject, type Json } from './json.ts';

/** Maximum length of a YAML text in UTF-16 units: some 0.5 s of parsing a million. A longer one is not read. */
const maxYamlLength = 2_000_000;
/** Maximum number of values, with those of an alias counted wherever it stands: few aliases can name billions. */
const maxYamlValues = 200_000;

/**
 * The object that a YAML text is; null for other text, for one that is too long, and for one whose aliases make it grow.
 * The parser is loaded at its first use: few files need it.
 */
export function parseYamlObject(text = ''): Json | null {
  if (text.length > maxYamlLength) return null;
  const { load } = createRequire(import.meta.url)('js-yaml') as typeof import('js-yaml');
  try {
    const value = load(text);
    return isObject(value) && valuesLeft(value, maxYamlValues) > 0 ? value : null;
  } catch {
    return null;
  }
}

/** How many of `room` values are left beside those of `value`; none if they are too many. */
function valuesLeft(value: unknown, room: number): number {
  let left = room - 1;
  if (typeof value !== 'object' || value === null) return left;
  for (const item of Object.values(value)) {
    if (left <= 0) return 0;
    left = valuesLeft(item, left);
  }
  return left;
}
