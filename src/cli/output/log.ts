import { createRequire } from 'node:module';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../runtime.ts';

const require = createRequire(import.meta.url);

/** From the most to the least verbose; `silent` logs nothing. */
const levels = ['debug', 'info', 'warn', 'error'] as const;

/** Logs probable mistakes in the settings of a service. */
export function logWarnings({ warnings }: Pick<Config, 'warnings'>, log: Log): void {
  for (const warning of warnings) log.warn({}, warning);
}

/**
 * Lines of JSON on stderr; stdout is for the answer. pino is loaded with the first line: a client that starts
 * `gleaner mcp` should not wait 20 ms for it.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Log {
  let opened: Log | undefined;
  const open = (): Log => {
    const { destination, pino } = require('pino') as typeof import('pino');
    return pino({ level: logLevel }, destination({ fd: 2, sync: true }));
  };
  const write = (level: (typeof levels)[number]) => (details: object, message: string) => {
    if (logLevel === 'silent' || levels.indexOf(level) < levels.indexOf(logLevel)) return;
    opened ??= open();
    opened[level](details, message);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
