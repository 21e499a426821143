/** At most `maxLength` UTF-16 units of a text, never half of a surrogate pair. */
export function limitLength(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
