/** Response headers as one string each; the values of a repeated header are joined by `separator`. */
export function flattenHeaders(
  raw: Readonly<Record<string, string | string[] | undefined>>,
  separator: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, [value ?? []].flat().join(separator)]),
  );
}
