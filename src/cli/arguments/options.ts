import type { Option } from 'commander';
import type { Config } from '../../config/config.ts';

/** Options that stand for settings. */
export interface Options {
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
  readonly workers?: string;
  readonly allowPrivate?: true;
  readonly recrawl?: true;
}

/** What the commands share. */
export interface CommandParts {
  /** The option `--data`. */
  readonly data: () => Option;
  /** The configuration, with these options; prints its warnings. */
  readonly config: (options: Options) => Config;
}
