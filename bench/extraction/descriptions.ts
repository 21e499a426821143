import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { cacheFolder } from '../engines/cache.ts';

/** A Debian package in one language: its line in a list, and what it says below. */
export interface Description {
  readonly title: string;
  readonly paragraph: string;
}

/** ISO 639-1 and the translations of Debian that are in it. */
export const translations: Readonly<Record<string, readonly string[]>> = {
  zh: ['zh_CN', 'zh_TW'],
  en: ['en'],
  ja: ['ja'],
  ko: ['ko'],
  ru: ['ru'],
  es: ['es'],
  fr: ['fr'],
  de: ['de'],
  pt: ['pt', 'pt_BR'],
};

const folder = `${cacheFolder}descriptions`;
const sampleSize = 800;
/** Shorter ones are a word or a heading. */
const minParagraph = 100;

/**
 * Debian's package descriptions in nine languages, 800 of each in the order of a hash of their text. Those that are not
 * translated are left out. apt downloads the lists, once, into the cache; nothing of the machine's own lists changes.
 */
export function loadDescriptions(): Readonly<Record<string, readonly Description[]>> {
  download();
  const english = new Set(read('en').flatMap(({ title, paragraph }) => [title, paragraph]));
  return Object.fromEntries(
    Object.entries(translations).map(([lang, names]) => {
      const all = names
        .flatMap(read)
        .filter(({ paragraph }) => paragraph.length >= minParagraph)
        .filter(({ title, paragraph }) => lang === 'en' || !(english.has(title) || english.has(paragraph)));
      const distinct = [...new Map(all.map((description) => [description.title, description])).values()];
      const inOrder = distinct
        .map((description) => ({ description, key: hash(description.title) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      return [lang, inOrder.slice(0, sampleSize).map(({ description }) => description)];
    }),
  );
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

function download(): void {
  mkdirSync(`${folder}/partial`, { recursive: true });
  if (readdirSync(folder).some((name) => name.includes('i18n_Translation-fr'))) return;
  const languages = Object.values(translations).flat().join(',');
  execFileSync(
    'apt-get',
    [
      'update',
      '-q',
      '-o',
      `Dir::State::lists=${folder}`,
      '-o',
      `Acquire::Languages=${languages}`,
      '-o',
      'Acquire::IndexTargets::deb::Packages::DefaultEnabled=false',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/** The descriptions of one list: `Description-xx: title`, then indented lines, a lone dot between paragraphs. */
function read(name: string): Description[] {
  const end = `_i18n_Translation-${name.replace('_', '%5f')}`;
  const files = readdirSync(folder).filter((file) => file.replace(/\.\w+$/, '').endsWith(end));
  return files.flatMap((file) => {
    const list = execFileSync('/usr/lib/apt/apt-helper', ['cat-file', `${folder}/${file}`], {
      maxBuffer: 200_000_000,
      encoding: 'utf8',
    });
    return list.split('\n\n').flatMap((entry) => {
      const [, title = '', below = ''] = /^Description-(?!md5)[\w@]+: (.*)\n((?: .*\n?)*)/m.exec(entry) ?? [];
      const paragraph = below
        .split(/\n \.\n/)
        .map((text) => text.replace(/\s+/g, ' ').trim())
        .join('\n');
      return title === '' ? [] : [{ title: title.trim(), paragraph }];
    });
  });
}
