export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; none of what is no list. */
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The entries of an object whose values are objects. */
export const objectEntries = (value: unknown): [string, Json][] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, item]) => (isObject(item) ? [[key, item]] : []))
    : [];

/** Text, or nothing. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The object that a text is; null for other text. */
export function parseObject(text = ''): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
