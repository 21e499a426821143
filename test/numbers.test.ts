import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/numbers.md');

const sources = ['src', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.ts$/.test(file))
    .map((file) => ({ name: basename(file), text: readFileSync(join(root, folder, file), 'utf8') })),
);

/** What `name` is set to in a source: as a constant, a default of an option, or a property. */
function expressionOf(name: string, text: string): string | undefined {
  const value = /(\[[^\]]*\]|\{[^}]*\}|[-\d._]+(?: [*/] [\w.]+)*|[a-zA-Z]\w*(?: [*/] [\w.]+)+)/.source;
  const constant = value.replace(')+)', ')*)');
  const patterns = [
    new RegExp(`const ${name}(?:: [^=;]+)? = ${constant};`),
    new RegExp(`[{,]\\s*${name} = ${value}(?=[,\\s}])`),
    new RegExp(`(?:^|[{,])\\s*${name}: ${value}(?=[,\\s}])`, 'm'),
  ];
  for (const pattern of patterns) {
    const expression = pattern.exec(text)?.[1];
    if (expression !== undefined) return expression;
  }
  return undefined;
}

/** The product or quotient that an expression stands for, with the constants of its file; undefined for a list. */
function numberOf(expression: string, text: string): number | undefined {
  if (/^[[{]/.test(expression)) return undefined;
  let number = 1;
  for (const [, sign = '', operand = ''] of `* ${expression}`.matchAll(/([*/]) ([^ ]+)/g)) {
    const literal = Number(operand.replaceAll('_', ''));
    const inner = Number.isNaN(literal) ? expressionOf(operand, text) : undefined;
    const factor = inner === undefined ? literal : numberOf(inner, text);
    if (factor === undefined || Number.isNaN(factor)) return undefined;
    number = sign === '*' ? number * factor : number / factor;
  }
  return number;
}

const units = {
  time: [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
    [1, 'ms'],
  ],
  size: [
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
    [1, 'bytes'],
  ],
} as const;

/** `number` in the largest unit that leaves it whole. */
function inUnits(number: number, kind: keyof typeof units): string {
  const [size, unit] = units[kind].find(([size]) => number >= size && number % size === 0) ?? [1, ''];
  return `${(number / size).toLocaleString('en-US')} ${unit}`;
}

/** A constant's value for people. A unit in the name becomes a unit of the value. */
function shown(name: string, text: string): string | undefined {
  const expression = expressionOf(name, text);
  if (expression === undefined) return undefined;
  const number = numberOf(expression, text);
  if (number === undefined) return expression.replace(/^[[{]\s*|\s*[\]}]$/g, '').replaceAll('_', ',');
  if (/(Ms|Timeout)$/.test(name)) return inUnits(number, 'time');
  if (/(Seconds|unauthorized)$/.test(name)) return inUnits(number * 1000, 'time');
  if (/(Bytes|HeaderSize|UrlLength|[mM]egabytes)$/.test(name)) return inUnits(number, 'size');
  return number.toLocaleString('en-US');
}

/** The cells of value and constant, written anew: a constant that is in one file alone is followed to it. */
function cellsOf(constants: string): [values: string, constants: string] {
  const values: string[] = [];
  const places: string[] = [];
  for (const part of constants.split(', ')) {
    const [file = '', ...names] = [...part.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const found = names.map((name) => {
      const holders = sources.filter(
        ({ text }) => text.includes(name) && expressionOf(name, text) !== undefined,
      );
      const named = holders.filter((holder) => holder.name === file);
      const holder = (named.length > 0 ? named : holders).find(
        ({ text }) => !names.some((other) => expressionOf(other, text) === undefined),
      );
      if (!holder || (named.length === 0 && holders.length > 1))
        throw new Error(`docs/numbers.md: no constant ${name} in ${file}; name it as the code does`);
      values.push(shown(name, holder.text) ?? '');
      return holder.name;
    });
    places.push([found[0] ?? file, ...names].map((name) => `\`${name}\``).join(' '));
  }
  return [values.join('; '), places.join(', ')];
}

/** A row `| number | value | constant | why |` with value and constant as the code has them. */
function writtenRow(row: string): string {
  const [, what = '', , constants = '', why = ''] = row.split(' | ').flatMap((cell, index) => {
    const text = cell.replace(/^\| | ?\|$/g, '').trim();
    return index === 0 ? ['', text] : [text];
  });
  if (!constants.startsWith('`')) return row;
  const [values, places] = cellsOf(constants);
  return `| ${what} | ${values} | ${places} | ${why} |`;
}

test('the values of docs/numbers.md are those of the code (vitest -u writes them)', async () => {
  const text = readFileSync(page, 'utf8');
  const written = text.replace(/^\| .*`.* \|$/gm, writtenRow);
  expect(written.match(/^\| .*`.* \|$/gm)?.length).toBeGreaterThan(50);
  await expect(written).toMatchFileSnapshot(page);
});
