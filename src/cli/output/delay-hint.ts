import type { Config } from '../../config/config.ts';
import { isOnOwnNetwork } from '../../crawl/fetch/address-guard.ts';

interface DelayHintParts {
  readonly urls: readonly string[];
  readonly config: Pick<Config, 'allowPrivate'>;
  /** The value of `--delay`, if given. */
  readonly delay: number | undefined;
  readonly note: (line: string) => void;
}

/** A shorter crawl needs no hint. */
const longSeconds = 30;

/**
 * Mentions `--delay` once to a user who waits for a host in their own network, which is crawled as slowly as any other.
 * The returned function takes the seconds that remain.
 */
export function createDelayHint({ urls, config, delay, note }: DelayHintParts) {
  let isDone = !config.allowPrivate || delay !== undefined;

  const hint = async (): Promise<void> => {
    for (const url of urls) {
      if (!URL.canParse(url) || !(await isOnOwnNetwork(new URL(url).hostname))) continue;
      note(
        `${new URL(url).host} is in a network of your own and is asked once a second. With --delay 0 it is asked without a pause.`,
      );
      return;
    }
  };

  return (secondsLeft: number | undefined): void => {
    if (isDone || secondsLeft === undefined || secondsLeft < longSeconds) return;
    isDone = true;
    void hint();
  };
}
