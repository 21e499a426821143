/** Epoch milliseconds. Passed in wherever time matters, so that a test can move it. */
export type Clock = () => number;

/** The part of pino that we use. Nothing below `app.ts` may write to stdout or stderr by another way. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A log that keeps nothing, for tests and for commands that print their own words. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
