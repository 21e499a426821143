/** Writes a line for a person who watches a command. */
export function sayOnStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
