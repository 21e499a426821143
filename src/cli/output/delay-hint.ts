import type { Config } from '../../config/config.ts';
import { isOnOwnNetwork } from '../../crawl/fetch/address-guard.ts';

interface DelayHintParts {
  readonly urls: readonly string[];
  readonly config: Pick<Config, 'allowPrivate'>;
  /** What `--delay` was given; undefined when it was not. */
  readonly delay: number | undefined;
  readonly note: (line: string) => void;
}

/** A crawl that ends sooner needs no hint. */
const longSeconds = 30;

/**
 * Says once that `--delay` exists to a person who waits for a host of their own, which is asked as slowly as everybody
 * else's. To be told of the seconds that are left.
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
