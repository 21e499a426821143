import { relative } from 'node:path';
import { isReference } from '../../crawl/credentials/header-line.ts';

const builtFile = /[\\/]bin[\\/]gleaner\.mjs$/;
/** Shells on Windows start the file of an installed package by its path, though `gleaner` was typed. */
const installedFile = /[\\/]node_modules[\\/]gleaner[\\/]bin[\\/]gleaner\.mjs$/;

/** How this program is called where it was started: `gleaner`, or `node bin/gleaner.mjs` in a clone. */
export function commandName(startedFile = process.argv[1] ?? '', folder = process.cwd()): string {
  if (!builtFile.test(startedFile) || installedFile.test(startedFile)) return 'gleaner';
  const path = relative(folder, startedFile);
  return `node ${shellWord(path.startsWith('..') ? startedFile : path)}`;
}

/** What was typed, for a shell, without the values of headers. */
export function thisCommand(): string {
  return [commandName(), ...withoutSecrets(process.argv.slice(2)).map(shellWord)].join(' ');
}

/** A header whose value was typed itself, not where it comes from, is left with its name alone. */
export function withoutSecrets(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const [, option = '', header = ''] =
      words[index - 1] === '--header' ? [word, '', word] : (/^(--header=)([\s\S]*)$/.exec(word) ?? []);
    if (header === '' || isReference(header)) return word;
    const [name] = /^[^:]+: ?(?=.)/.exec(header) ?? [''];
    return `${option}${name}…`;
  });
}

/** A message of a part that does not know how the program was started: `"gleaner verify …"` as it can be typed here. */
export function withCommandName(message: string, name = commandName()): string {
  return message.replace(/(["'])gleaner (?=[a-z-])/g, (_, quote: string) => `${quote}${name} `);
}

/** A word as a shell reads it. */
function shellWord(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
