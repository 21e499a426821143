/** The language of a text as ISO 639-1, or undefined when nothing can be told. */
export type DetectLanguage = (text: string) => string | undefined;

/** The part of a language tag that names the language, in lower case: `zh-CN` and `zh_Hant` are `zh`. */
export function primarySubtag(tag: string): string {
  return (tag.trim().split(/[-_]/, 1)[0] ?? '').toLowerCase();
}

/** Loads the detector's tables (about 180 MB of memory); gives ISO 639-1 or `und`. */
export async function loadLanguageDetector(): Promise<(text: string, declared?: string) => string> {
  const { eld } = await import('eld/medium');
  return (text, declared = '') => eld.detect(text).language || primarySubtag(declared) || 'und';
}
