import type { Command } from 'commander';
import { commandsOf } from '../src/cli/completion.ts';
import { settings } from '../src/config/config.ts';

/** The man page of the program: its commands and options, the settings, and the exit statuses of `commandLineDocs`. */
export function manPage(program: Command, version: string, commandLineDocs: string): string {
  const [main, ...commands] = commandsOf(program, []);
  if (main === undefined) throw new Error('the program has no commands');
  const global = new Set(main.options.flatMap(({ flags }) => flags));
  const lines = [
    `.TH GLEANER 1 "" "Gleaner ${roff(version)}" "User commands"`,
    '.SH NAME',
    'gleaner \\- web search and page content, with an index of its own',
    '.SH SYNOPSIS',
    '.B gleaner',
    '.RI [ options ] " command " [ arguments ]',
    '.SH DESCRIPTION',
    roff(main.about),
    'Answers go to standard output; progress, notes and errors to standard error.',
    '.SH OPTIONS',
    'These stand before or after any command.',
    ...main.options.flatMap(optionLines),
    '.SH COMMANDS',
  ];
  for (const { path, about, usage, options, subcommands, args } of commands) {
    if (subcommands.length > 0) continue;
    lines.push(
      `.SS "gleaner ${roff(path.join(' '))}${usage === '' ? '' : ` ${roff(usage)}`}"`,
      `${sentence(about)}`,
    );
    for (const { name, about: argumentAbout } of args)
      if (argumentAbout !== '') lines.push('.TP', `.I ${roff(name)}`, sentence(argumentAbout));
    const own = options.filter(({ flags }) => !flags.every((flag) => global.has(flag)));
    lines.push(...own.flatMap(optionLines));
  }
  lines.push(
    '.SH ENVIRONMENT',
    'The command line comes before the environment, and that before a file of',
    '.IR NAME = value',
    'lines given by',
    '.BR \\-\\-config .',
  );
  for (const [name, { about, written }] of Object.entries(settings)) {
    const shown = written === undefined ? '' : ` Default: \\fB${roff(written)}\\fR.`;
    lines.push('.TP', `.B ${roff(name)}`, `${inline(about)}${shown}`);
  }
  lines.push(
    '.TP',
    '.BR NO_COLOR ", " FORCE_COLOR ", " TERM=dumb',
    'Whether words are set off by colours, which they are on a terminal.',
    '.SH "EXIT STATUS"',
  );
  for (const [status, command, meaning] of statusesOf(commandLineDocs))
    lines.push('.TP', `.B ${roff(status ?? '')}`, `${inline(command ?? '')}: ${inline(meaning ?? '')}`);
  lines.push(
    '.SH EXAMPLES',
    '.nf',
    'gleaner crawl https://docs.example.com/ \\-\\-max\\-pages 500',
    'gleaner search asyncio taskgroup',
    'gleaner serve',
    '.fi',
  );
  return `${lines.flatMap(wrapped).join('\n')}\n`;
}

const maxLineLength = 78;

/** Long lines of text on several, none of which begins like a request; requests stay on one. */
function wrapped(line: string): string[] {
  if (line.startsWith('.') || line.length <= maxLineLength) return [line];
  const cut = line.lastIndexOf(' ', maxLineLength);
  if (cut <= 0 || /^ ['.]/.test(line.slice(cut))) return [line];
  return [line.slice(0, cut), ...wrapped(line.slice(cut + 1))];
}

function optionLines({ usage, about }: { readonly usage: string; readonly about: string }): string[] {
  return ['.TP', `.B ${roff(usage)}`, sentence(about)];
}

/** The rows of the table of exit statuses, without its head. */
function statusesOf(markdown: string): string[][] {
  const [, table] = /<!-- statuses -->\n([\s\S]*?)<!-- \/statuses -->/.exec(markdown) ?? [];
  if (table === undefined) throw new Error('the marks of the exit statuses are missing');
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function sentence(text: string): string {
  const words = inline(text);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}

/** Markdown's code as bold. */
function inline(text: string): string {
  return roff(text).replace(/`([^`]+)`/g, '\\fB$1\\fR');
}

/** Text that roff prints as it stands (groff_char(7)); a line must not begin like a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll('’', '\\(cq')
    .replaceAll('…', '...')
    .replace(/^(['.])/, '\\&$1');
}
