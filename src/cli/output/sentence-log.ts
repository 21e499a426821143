import type { Config } from '../../config/config.ts';
import type { Log } from '../../runtime.ts';
import { printableLine } from './printable.ts';

/** From the most to the least verbose; `silent` logs nothing. */
const levels = ['debug', 'info', 'warn', 'error'] as const;

/**
 * The log of a command for a person: one sentence a line, on stderr unless `write` is given. At `debug`, the stack of an
 * error follows its sentence.
 */
export function createSentenceLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  write: (line: string) => void = toStderr,
): Log {
  const say = (level: (typeof levels)[number]) => (details: object, message: string) => {
    if (logLevel === 'silent' || levels.indexOf(level) < levels.indexOf(logLevel)) return;
    write(asSentence(details, message));
    const { err } = details as { err?: unknown };
    if (logLevel === 'debug' && err instanceof Error && err.stack) write(err.stack);
  };
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
}

/** The message, the reason of an error, and the values in the details. */
function asSentence({ err, ...details }: { err?: unknown }, message: string): string {
  const values = Object.entries(details)
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== 'object')
    .map(([name, value]) => `${inWords(name)} ${value}`)
    .join(', ');
  const reason = err === undefined ? '' : `: ${reasonOf(err)}`;
  const line = printableLine(`${message}${reason}${values === '' ? '' : ` (${values})`}`);
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** The message of an error without its codes: "no space left on device". */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, system] = /^E[A-Z0-9]+: (.+?)(?:, [a-z]+(?: .*)?)?$/.exec(text) ?? [];
  return system ?? text.split('\n', 1)[0] ?? '';
}

/** `tookMs` as "took ms". */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
