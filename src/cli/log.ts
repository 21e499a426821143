import { destination, pino } from 'pino';
import type { Config } from '../config.ts';
import type { Log } from '../outside.ts';

/** Lines of JSON on stderr; stdout belongs to the answer. */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Log {
  return pino({ level: logLevel }, destination({ fd: 2, sync: true }));
}
