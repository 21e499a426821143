import { loadLanguageDetector } from '../../src/text/language/language.ts';
import { loadDescriptions } from './descriptions.ts';
import { mean } from './scores.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** How often the language of a paragraph and of a title alone is detected correctly, with nothing declared. */
export async function languageTable(): Promise<string> {
  const before = process.memoryUsage().rss;
  const detect = await loadLanguageDetector();
  const megabytes = (process.memoryUsage().rss - before) / 1024 / 1024;
  const rows = ['| language | paragraphs | titles | titles taken for |', '|---|---|---|---|'];
  const shares = { paragraphs: [] as number[], titles: [] as number[] };
  for (const [lang, descriptions] of Object.entries(loadDescriptions())) {
    const paragraphs = mean(descriptions.map(({ paragraph }) => (detect(paragraph) === lang ? 1 : 0)));
    const detected = descriptions.map(({ title }) => detect(title));
    const titles = mean(detected.map((found) => (found === lang ? 1 : 0)));
    shares.paragraphs.push(paragraphs);
    shares.titles.push(titles);
    rows.push(
      `| ${lang}, ${descriptions.length} | ${percent(paragraphs)} | ${percent(titles)} | ${mistakes(detected, lang)} |`,
    );
  }
  rows.push(`| mean | ${percent(mean(shares.paragraphs))} | ${percent(mean(shares.titles))} | |`);
  rows.push('', `${Math.round(megabytes)} MB for the detector.`);
  return rows.join('\n');
}

/** The languages that were detected instead, the most frequent first. */
function mistakes(detected: readonly string[], lang: string): string {
  const counts = new Map<string, number>();
  for (const found of detected) if (found !== lang) counts.set(found, (counts.get(found) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([found, count]) => `${found} ${count}`)
    .join(', ');
}
