import { readdirSync, readFileSync } from 'node:fs';

/** `npm run bench -- NAME [arguments]` runs one benchmark, a file here that exports `main`; without a name it lists them. */
const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.js') && /^export async function main\(/m.test(sourceOf(file)))
  .map((file) => file.replace(/\.js$/, ''));

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- NAME\nbenchmarks: ${names.join(', ')}`);
  process.exitCode = 1;
} else {
  const { main } = (await import(`./${name}.js`)) as { main(args: string[]): Promise<void> };
  await main(rest);
}

function sourceOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
